package dev.ttlstore.internal.store;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Keyspace;
import dev.ttlstore.Transaction;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.internal.access.RowAccess;

/** A transaction on a store or a scope. */
final class DefaultTransaction extends AbstractKeyspace implements Transaction {

    DefaultTransaction(RowAccess access, String prefix) {
        super(access, prefix);
    }

    /** Runs work in this transaction, and wraps a checked exception that it throws. */
    <R extends @Nullable Object, X extends Exception> R run(Transaction.Work<R, X> work) {
        try {
            return work.run(this);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new WorkFailure(e);
        }
    }

    /** Carries a checked exception of a transaction's work through the store to its caller. */
    static final class WorkFailure extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final Exception failure;

        private WorkFailure(Exception failure) {
            super(null, failure, false, false);
            this.failure = failure;
        }

        /** Returns what the work has thrown, which can be nothing but what it declares. */
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        <X extends Exception> X failure() {
            return (X) failure;
        }
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
