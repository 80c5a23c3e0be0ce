package dev.ttlstore.commit;

import org.jspecify.annotations.Nullable;

/**
 * A mutation on its way through the pipeline, and in the end its outcome. Decided and completed by the thread that commits,
 * read by its caller once it is done.
 *
 * @param <R> the type of the answer
 */
final class Task<R extends @Nullable Object> {

    private final Mutation<R> mutation;

    private @Nullable R answer;
    private @Nullable Throwable failure;
    private @Nullable Delivery delivery;
    private volatile boolean done;

    Task(Mutation<R> mutation) {
        this.mutation = mutation;
    }

    Mutation<R> mutation() {
        return mutation;
    }

    boolean isDone() {
        return done;
    }

    /** Runs the mutation. Its failure is its own: it is kept for the caller, and the commit goes on. */
    void decide(Draft draft) {
        failure = null;
        try {
            answer = draft.apply(mutation);
        } catch (RuntimeException e) {
            if (mutation.isSetWide()) {
                throw e; // what it did in the engine can be undone only with the transaction
            }
            failure = e;
        }
    }

    void complete(@Nullable Delivery committed) {
        delivery = committed;
        done = true;
    }

    void fail(Throwable cause) {
        failure = cause;
        done = true;
    }

    @Nullable
    Delivery delivery() {
        return delivery;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    @SuppressWarnings("NullAway") // null is an answer where R admits it; the mutation that made it knows
    R answer() {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw new IllegalStateException("A mutation cannot throw a checked exception", failure);
        }
        return answer;
    }
}
