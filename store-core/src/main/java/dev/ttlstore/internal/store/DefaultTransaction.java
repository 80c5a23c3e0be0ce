package dev.ttlstore.internal.store;

import dev.ttlstore.Keyspace;
import dev.ttlstore.Transaction;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.internal.access.TransactionAccess;

/** A transaction on a store or a scope. */
final class DefaultTransaction extends AbstractKeyspace implements Transaction {

    private final TransactionAccess access;
    private final String prefix;

    DefaultTransaction(TransactionAccess access, String prefix) {
        super(access, prefix);
        this.access = access;
        this.prefix = prefix;
    }

    @Override
    public Keyspace scope(String namespace) {
        access.requireUsable();
        String name = DefaultScope.requireName(namespace);
        if (!prefix.isEmpty()) {
            throw new IllegalStateException(
                    "This transaction belongs to a scope, so it has no other scopes; start it with Store.transact(…)");
        }
        return new DefaultTransaction(access, Namespaces.prefix(name));
    }

    /** Returns a text with the prefix of the groups' names, if there is one. */
    @Override
    public String toString() {
        return "Transaction[" + prefix + "]";
    }
}
