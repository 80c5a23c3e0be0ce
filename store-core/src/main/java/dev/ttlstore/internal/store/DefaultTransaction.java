package dev.ttlstore.internal.store;

import dev.ttlstore.Keyspace;
import dev.ttlstore.Transaction;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.internal.access.RowAccess;

/** A transaction on a store or a scope. */
final class DefaultTransaction extends AbstractKeyspace implements Transaction {

    DefaultTransaction(RowAccess access, String prefix) {
        super(access, prefix);
    }

    @Override
    public Keyspace scope(String namespace) {
        rows().requireUsable();
        String name = DefaultScope.requireName(namespace);
        if (!prefix().isEmpty()) {
            throw new IllegalStateException(
                    "This transaction belongs to a scope, so it has no other scopes; start it with Store.transact(…)");
        }
        return new DefaultTransaction(rows(), Namespaces.prefix(name));
    }

    /** Returns a text with the prefix of the groups' names, if there is one. */
    @Override
    public String toString() {
        return "Transaction[" + prefix() + "]";
    }
}
