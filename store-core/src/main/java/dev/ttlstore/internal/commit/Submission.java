package dev.ttlstore.internal.commit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.NodeQueue;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.watch.CommitEvents;

/**
 * A caller's work in the pipeline, and its outcome: a mutation, which can share a commit, or a range command, which
 * has a commit of its own. The committing thread decides and completes it. Its caller reads it after that.
 *
 * @param <R> the type of the answer
 */
final class Submission<R extends @Nullable Object> extends NodeQueue.Node<Submission<?>> {

    private final @Nullable Mutation<R> mutation;
    private final RangeCommands.@Nullable Command<R> command;
    private final @Nullable Reply<R> reply;

    /** Gives back the room that it takes while it waits; null if its caller waits instead. */
    private final @Nullable Runnable leave;

    /** The thread that waits for it; null if there is a reply. */
    private final @Nullable Thread caller;

    /** Whether it was taken from the queue to be committed, or withdrawn before that. */
    private final AtomicBoolean claimed = new AtomicBoolean();

    private @Nullable R answer;
    private @Nullable Throwable failure;
    private @Nullable CommitEvents delivery;
    private volatile boolean done;

    private Submission(
            @Nullable Mutation<R> mutation,
            RangeCommands.@Nullable Command<R> command,
            @Nullable Reply<R> reply,
            @Nullable Runnable leave) {
        this.mutation = mutation;
        this.command = command;
        this.reply = reply;
        this.leave = leave;
        this.caller = reply == null ? Thread.currentThread() : null;
    }

    /** Creates the submission of a mutation whose caller waits. */
    static <R extends @Nullable Object> Submission<R> of(Mutation<R> mutation) {
        return new Submission<>(mutation, null, null, null);
    }

    /** Creates the submission of a mutation with a reply, which runs an action when it no longer waits. */
    static <R extends @Nullable Object> Submission<R> of(Mutation<R> mutation, Reply<R> reply, Runnable leave) {
        return new Submission<>(mutation, null, reply, leave);
    }

    /** Creates the submission of a command with a reply, which runs an action when it no longer waits. */
    static <R extends @Nullable Object> Submission<R> of(
            RangeCommands.Command<R> command, Reply<R> reply, Runnable leave) {
        return new Submission<>(null, command, reply, leave);
    }

    /** Creates the submission of a command whose caller waits. */
    static <R extends @Nullable Object> Submission<R> of(RangeCommands.Command<R> command) {
        return new Submission<>(null, command, null, null);
    }

    @Nullable
    Mutation<R> mutation() {
        return mutation;
    }

    /** Returns how much memory the values take that it puts. */
    long bytes() {
        return mutation == null ? 0 : mutation.bytes();
    }

    boolean isRangeCommand() {
        return command != null;
    }

    boolean isAsync() {
        return reply != null;
    }

    boolean isDone() {
        return done;
    }

    /** Wakes the waiting caller, if there is one, to check the submission again. */
    void wakeCaller() {
        if (caller != Thread.currentThread()) {
            LockSupport.unpark(caller);
        }
    }

    /** Takes the submission for a commit. Returns false if it was withdrawn or taken before. */
    boolean take() {
        return claimed.compareAndSet(false, true);
    }

    /** Withdraws the submission. Returns false if a thread has taken it, and will complete it. */
    boolean withdraw() {
        return claimed.compareAndSet(false, true);
    }

    boolean isClaimed() {
        return claimed.get();
    }

    /** Runs the mutation or the command. A mutation's failure is kept for its caller, and the commit goes on. */
    void decide(Draft draft, RangeCommands commands) {
        failure = null;
        if (command != null) {
            // A failure here fails the whole transaction, because nothing else undoes what the command did in the
            // engine.
            answer = command.run(commands);
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

    /** Has the outcome passed on, if there is a reply. Called after the listeners were called. */
    @SuppressWarnings("NullAway") // null is a valid answer if R is nullable
    void reply(Completions completions) {
        if (reply == null || leave == null) {
            return;
        }
        Throwable cause = failure;
        if (cause == null) {
            completions.complete(reply, answer, leave);
        } else {
            completions.fail(reply, cause, leave);
        }
    }

    /** Passes a failure on, if there is a reply, although the submission is still being committed. Its outcome does not count any more. */
    void replyFailure(Completions completions, Throwable cause) {
        if (reply != null && leave != null) {
            completions.fail(reply, cause, leave);
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
