package dev.ttlstore.internal.commit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.watch.CommitEvents;

/**
 * A caller's work on its way through the pipeline, and in the end its outcome: a mutation, which can share a commit, or a
 * range command, which has one of its own. Decided and completed by the thread that commits, read by its caller once it
 * is done.
 *
 * @param <R> the type of the answer
 */
final class Task<R extends @Nullable Object> {

    private final @Nullable Mutation<R> mutation;
    private final RangeCommands.@Nullable Command<R> command;
    private final @Nullable CompletableFuture<R> future;

    /** Who waits for it; null when a future does. */
    private final @Nullable Thread caller;

    /** Whether it has been taken from the queue to be committed, or its caller has given up before that. */
    private final AtomicBoolean claimed = new AtomicBoolean();

    private @Nullable R answer;
    private @Nullable Throwable failure;
    private @Nullable CommitEvents delivery;
    private volatile boolean done;

    private Task(
            @Nullable Mutation<R> mutation,
            RangeCommands.@Nullable Command<R> command,
            @Nullable CompletableFuture<R> future) {
        this.mutation = mutation;
        this.command = command;
        this.future = future;
        this.caller = future == null ? Thread.currentThread() : null;
    }

    /** A mutation whose caller waits for it. */
    static <R extends @Nullable Object> Task<R> of(Mutation<R> mutation) {
        return new Task<>(mutation, null, null);
    }

    /** A mutation whose caller is told by a future. */
    static <R extends @Nullable Object> Task<R> of(Mutation<R> mutation, CompletableFuture<R> future) {
        return new Task<>(mutation, null, future);
    }

    /** A command whose caller is told by a future. */
    static <R extends @Nullable Object> Task<R> of(RangeCommands.Command<R> command, CompletableFuture<R> future) {
        return new Task<>(null, command, future);
    }

    /** A command whose caller waits for it. */
    static <R extends @Nullable Object> Task<R> of(RangeCommands.Command<R> command) {
        return new Task<>(null, command, null);
    }

    @Nullable
    Mutation<R> mutation() {
        return mutation;
    }

    boolean isRangeCommand() {
        return command != null;
    }

    boolean isAsync() {
        return future != null;
    }

    boolean isDone() {
        return done;
    }

    /** Has its caller, if one waits, look again at how things are. */
    void wakeCaller() {
        if (caller != Thread.currentThread()) {
            LockSupport.unpark(caller);
        }
    }

    /** Takes it to be committed; false if that is not to be, or has been done before. */
    boolean take() {
        return claimed.compareAndSet(false, true);
    }

    /** Gives it up; false if somebody has taken it, and will complete it. */
    boolean withdraw() {
        return claimed.compareAndSet(false, true);
    }

    boolean isClaimed() {
        return claimed.get();
    }

    /** Runs the mutation. Its failure is its own: it is kept for the caller, and the commit goes on. */
    void decide(Draft draft, RangeCommands commands) {
        failure = null;
        if (command != null) {
            answer = command.run(commands); // what it does in the engine can be undone only with the transaction
        } else if (mutation != null) {
            try {
                answer = draft.apply(mutation);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
    }

    void complete(@Nullable CommitEvents committed) {
        delivery = committed;
        done = true;
    }

    void fail(Throwable cause) {
        failure = cause;
        done = true;
    }

    void failUnlessDone(Throwable cause) {
        if (!done) {
            fail(cause);
        }
    }

    @Nullable
    CommitEvents delivery() {
        return delivery;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Tells the future, if there is one, once the listeners have been told. */
    @SuppressWarnings("NullAway") // null is an answer where R admits it; the mutation that made it knows
    void tellFuture() {
        if (future == null) {
            return;
        }
        Throwable cause = failure;
        if (cause == null) {
            Completions.complete(future, answer);
        } else {
            Completions.fail(future, cause);
        }
    }

    @SuppressWarnings("NullAway") // as above
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
