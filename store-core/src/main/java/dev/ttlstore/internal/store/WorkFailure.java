package dev.ttlstore.internal.store;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Transaction;

/** Carries a checked exception of a transaction's work through the store to its caller. */
final class WorkFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Exception failure;

    private WorkFailure(Exception failure) {
        super(null, failure, false, false);
        this.failure = failure;
    }

    /** Runs work, and wraps the checked exception that it throws. */
    static <R extends @Nullable Object, X extends Exception> R wrapping(Transaction.Work<R, X> work, Transaction tx) {
        try {
            return work.run(tx);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new WorkFailure(e);
        }
    }

    /** Returns what the work has thrown, which can be nothing but what it declares. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <X extends Exception> X failure() {
        return (X) failure;
    }
}
