package dev.ttlstore.internal.commit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.Thrown;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.NodeQueue;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.watch.EventDispatcher.CommitEvents;

import static java.util.Objects.requireNonNull;

/**
 * A caller's work in the pipeline, and its outcome: a request, which can share a commit, or a command, which
 * has a commit of its own. The committing thread decides and completes it. Its caller reads it after that.
 *
 * @param <R> the type of the answer
 */
final class Submission<R extends @Nullable Object> extends NodeQueue.Node<Submission<?>> {

    /** What an asynchronous write takes beside its rows: the submission, the request, its answer, the future and their places in queues. */
    static final int BYTES_OF_WRITE = 400;

    /** What each of its rows takes beside the chars of its names and its value: the operation, its effect and its outcome. */
    private static final int BYTES_OF_ROW = 250;

    private final @Nullable Request request;
    private final @Nullable Command<R> command;
    private final @Nullable Reply<R> reply;

    /** Gives back the room that it takes while it waits; null if its caller waits instead. */
    private final @Nullable Runnable leave;

    /** The thread that waits for it; null if there is a reply. */
    private final @Nullable Thread caller;

    /** Whether it was taken from the queue to be committed, or withdrawn before that. */
    private final AtomicBoolean claimed = new AtomicBoolean();

    /** The part of the data that it is about. */
    private int part = Engine.ANY_PART;

    private @Nullable R answer;
    private @Nullable Throwable failure;
    private @Nullable CommitEvents delivery;
    private volatile boolean done;

    private Submission(
            @Nullable Request request,
            @Nullable Command<R> command,
            @Nullable Reply<R> reply,
            @Nullable Runnable leave) {
        this.request = request;
        this.command = command;
        this.reply = reply;
        this.leave = leave;
        this.caller = reply == null ? Thread.currentThread() : null;
    }

    /** Returns how much memory an asynchronous request takes while it waits. */
    static long bytes(Request request) {
        long bytes = BYTES_OF_WRITE + request.bytes();
        for (int i = 0; i < request.operations().size(); i++) { // called for each write, so without an iterator
            bytes += bytes(request.operations().get(i).key());
        }
        for (int i = 0; i < request.checks().size(); i++) {
            bytes += bytes(request.checks().get(i).key());
        }
        return bytes;
    }

    private static long bytes(RowKey key) {
        return BYTES_OF_ROW
                + (long) Character.BYTES * (key.group().length() + key.key().length());
    }

    /** Creates the submission of a request whose caller waits. */
    static Submission<Answer> of(Request request) {
        return new Submission<>(request, null, null, null);
    }

    /** Creates the submission of a request with a reply, which runs an action when it no longer waits. */
    static Submission<Answer> of(Request request, Reply<Answer> reply, Runnable leave) {
        return new Submission<>(request, null, reply, leave);
    }

    /** Creates the submission of a command with a reply, which runs an action when it no longer waits. */
    static <R extends @Nullable Object> Submission<R> of(Command<R> command, Reply<R> reply, Runnable leave) {
        return new Submission<>(null, command, reply, leave);
    }

    /** Creates the submission of a command whose caller waits. */
    static <R extends @Nullable Object> Submission<R> of(Command<R> command) {
        return new Submission<>(null, command, null, null);
    }

    /** Returns the request. A submission that has none has a command. */
    Request request() {
        return requireNonNull(request);
    }

    @Nullable
    Command<R> command() {
        return command;
    }

    /** Returns how much memory the values take that it puts. */
    long bytes() {
        return request == null ? 0 : request.bytes();
    }

    boolean isCommand() {
        return command != null;
    }

    int part() {
        return part;
    }

    /** Notes which part of the data it is about, before it is queued: later there may be no memory to find out. */
    void setPart(int of) {
        part = of;
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

    /**
     * Claims the submission: for a commit, or to withdraw it. Returns false if another thread has claimed it, which completes it unless it
     * withdraws it.
     */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    boolean isClaimed() {
        return claimed.get();
    }

    /**
     * Takes the outcome of a commit.
     *
     * @param committed what its batch has come to
     * @param place the place of the request in the batch
     * @param events the events of the commit; null if there are none to deliver
     */
    @SuppressWarnings(
            "unchecked") // the submission of a request answers with an Answer, that of a command with its result
    void complete(Committed committed, int place, @Nullable CommitEvents events) {
        if (command == null) {
            Answer given = committed.answers().get(place);
            failure = given.failure();
            answer = (R) given;
        } else {
            answer = (R) committed.result();
        }
        delivery = events;
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

    /** Has the outcome passed on, if there is a reply. Called after the listeners were called. */
    @SuppressWarnings("NullAway") // null is a valid answer if R is nullable
    void reply(Completions completions) {
        Throwable cause = failure;
        if (cause != null) {
            replyFailure(completions, cause);
        } else if (reply != null && leave != null) {
            completions.complete(reply, answer, leave);
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
        Thrown.again(failure);
        if (failure != null) {
            throw new IllegalStateException("A request cannot throw a checked exception", failure);
        }
        return answer;
    }
}
