package dev.ttlstore.internal.commit;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.JoinableTransactions;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.base.Admission;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * Submits the writes of callers to the {@link GroupCommit}: requests and commands, whose callers wait or get a reply later. Refuses
 * what would wait for its own thread, and bounds what waits. Thread-safe.
 */
final class Submissions {

    /** What asynchronous writes that wait may take: two shared commits, so that there is one while the other is made. */
    static final long MOST_WAITING = 2 * SubmissionQueue.MAX_BYTES;

    /** What an asynchronous write takes beside its rows: the submission, the request, its answer, the future and their places in queues. */
    private static final int BYTES_OF_WRITE = 400;

    /** What each of its rows takes beside the chars of its names and its value: the operation, its effect and its outcome. */
    private static final int BYTES_OF_ROW = 250;

    private final Admission waiting = new Admission("asynchronous writes", MOST_WAITING);
    private final GroupCommit groupCommit;
    private final Writers writers;
    private final EventDispatcher dispatcher;
    private final Meter meter;
    private final @Nullable JoinableTransactions joinable;

    Submissions(
            GroupCommit groupCommit,
            Writers writers,
            EventDispatcher dispatcher,
            Meter meter,
            @Nullable JoinableTransactions joinable) {
        this.groupCommit = groupCommit;
        this.writers = writers;
        this.dispatcher = dispatcher;
        this.meter = meter;
        this.joinable = joinable;
    }

    /** Commits a request, and returns after the listeners of the commit were called. */
    Answer submit(Request request) {
        JoinableTransactions transactions = joinable;
        if (transactions != null) {
            request.keys().forEach(key -> transactions.requireFree(GroupRange.only(key.group())));
        }
        return awaitTimed(Submission.of(request));
    }

    /** Commits a request asynchronously. Waits while too much waits already. */
    void submitAsync(Request request, Reply<Answer> reply) {
        enqueue(bytes(request), reply, leave -> Submission.of(request, reply, leave));
    }

    private static long bytes(Request request) {
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

    private void enqueue(long bytes, Reply<?> reply, Function<Runnable, Submission<?>> submission) {
        Runnable leave;
        try {
            leave = waiting.enter(bytes, !dispatcher.isTelling());
        } catch (StoreException e) {
            reply.refuse(e);
            return;
        }
        try {
            groupCommit.enqueue(submission.apply(leave));
        } catch (Error e) { // no stack or memory
            leave.run();
            throw e;
        }
    }

    /** Runs a command in a commit of its own, and returns after the listeners of the commit were called. */
    <R extends @Nullable Object> R run(Command<R> command) {
        return await(Submission.of(command));
    }

    /** Requires that a commit to groups does not wait for a transaction of the calling thread. */
    void requireFree(GroupRange groups) {
        JoinableTransactions transactions = joinable;
        if (transactions != null) {
            transactions.requireFree(groups);
        }
    }

    /** Runs a command as {@link #run} does, and counts it as a write of a caller. */
    <R extends @Nullable Object> R runTimed(Command<R> command) {
        return awaitTimed(Submission.of(command));
    }

    /** Runs a command asynchronously, in a commit of its own. */
    <R extends @Nullable Object> void runAsync(Command<R> command, Reply<R> reply) {
        enqueue(BYTES_OF_WRITE, reply, leave -> Submission.of(command, reply, leave));
    }

    /** Tests whether nobody waits for a commit. */
    boolean isIdle() {
        return groupCommit.isIdle();
    }

    private <R extends @Nullable Object> R awaitTimed(Submission<R> submission) {
        long start = meter.start();
        R answer = await(submission);
        meter.written(start);
        return answer;
    }

    private <R extends @Nullable Object> R await(Submission<R> submission) {
        requireNoTransaction();
        return groupCommit.await(submission);
    }

    /** Requires that this thread has no writer, so that it does not wait for itself. */
    void requireNoTransaction() {
        if (writers.isOneMine()) {
            throw new IllegalStateException(
                    "The store must not be used within its own transaction, nor by a codec or an observer;"
                            + " use the groups of the transaction that was passed in");
        }
    }
}
