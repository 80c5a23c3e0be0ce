package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Command.Cleared;
import dev.ttlstore.engine.Command.Forgotten;
import dev.ttlstore.engine.Deliveries.Backlog;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.JoinableTransactions;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.base.Admission;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.base.ProgressLog;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * Submits the writes of callers to the {@link GroupCommit}: requests, and commands about ranges, deliveries and what is retained, each in one
 * commit or in several. Their callers wait or get a reply later. Refuses what would wait for its own thread, and bounds what waits. Thread-safe.
 */
public final class StoreWrites {

    /** How many entries a purge removes in one commit at most. Larger commits write less per entry. */
    private static final int PURGE_ALONE = 16_000;

    /** The same limit while there are listeners, so that a watch can keep up. */
    private static final int PURGE_FOLLOWED = 1_000;

    /** How many deliveries or retained entries one commit removes that are no longer wanted. */
    private static final int REMOVED_AT_ONCE = 1_000;

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
    private final Engine engine;
    private final @Nullable JoinableTransactions joinable;
    private final BooleanSupplier listed;

    /**
     * Creates the writes of a store.
     *
     * @param groupCommit commits them
     * @param writers tell whether a thread has one
     * @param dispatcher tells whether there is a listener or a watch, and whether this thread is in one
     * @param meter counts writes of callers
     * @param engine the engine that they change
     * @param listed asked during a commit: whether anybody asks which entries a purge has removed
     */
    StoreWrites(
            GroupCommit groupCommit,
            Writers writers,
            EventDispatcher dispatcher,
            Meter meter,
            Engine engine,
            BooleanSupplier listed) {
        this.groupCommit = groupCommit;
        this.writers = writers;
        this.dispatcher = dispatcher;
        this.meter = meter;
        this.engine = engine;
        this.joinable = engine.joinableTransactions().orElse(null);
        this.listed = listed;
    }

    /**
     * Commits a request, and returns after the listeners of the commit were called.
     *
     * @param request the request
     * @return what has become of it
     */
    public Answer submit(Request request) {
        if (joinable != null) {
            request.keys().forEach(key -> requireFree(GroupRange.only(key.group())));
        }
        return awaitTimed(Submission.of(request));
    }

    /**
     * Commits a request asynchronously. Waits while too much waits already, as {@link Admission} says.
     *
     * @param request the request
     * @param reply gets what has become of it, after the listeners of the commit were called
     */
    public void submitAsync(Request request, Reply<Answer> reply) {
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

    /**
     * Removes all entries of some groups: the expired ones first, with an event for each, and then all live ones in one commit, unless the
     * disk is full.
     *
     * @param groups the groups
     * @return how many live entries were removed
     */
    public long clear(GroupRange groups) {
        requireFree(groups);
        ProgressLog progress = new ProgressLog("Clearing groups");
        Cleared cleared;
        do {
            cleared = awaitTimed(Submission.of(new Command.Clear(groups)));
            progress.add(cleared.removed());
        } while (cleared.more());
        return progress.done();
    }

    /**
     * Removes all entries of a group asynchronously.
     *
     * @param group the full group name
     * @param future completed with the number of removed live entries, after the listeners of the commits were called
     */
    public void clearAsync(String group, CompletableFuture<Long> future) {
        clearAsync(GroupRange.only(group), 0, future);
    }

    private void clearAsync(GroupRange group, long removedBefore, CompletableFuture<Long> whole) {
        Reply<Cleared> reply = new Reply<>(whole, cleared -> {
            long removed = removedBefore + cleared.removed();
            if (cleared.more()) {
                clearAsync(group, removed, whole);
            } else {
                whole.complete(removed);
            }
        });
        enqueue(BYTES_OF_WRITE, reply, leave -> Submission.of(new Command.Clear(group), reply, leave));
    }

    /**
     * Returns the usage of a namespace.
     *
     * @param namespace the namespace
     * @return the usage of its live entries
     */
    public Amounts usage(String namespace) {
        return run(new Command.CountUsage(namespace));
    }

    /**
     * Changes subscribers or deliveries.
     *
     * @param command the change
     * @return its result
     * @param <R> the type of the result
     */
    public <R> R deliveries(DeliveryCommand<R> command) {
        return run(command);
    }

    /**
     * Removes a subscriber and its deliveries, in several commits so that others can write meanwhile. The last commit
     * removes the subscriber together with its remaining deliveries, and later commits record none for it. Until
     * then, commits still record deliveries for it.
     *
     * @param name the name of the subscriber
     */
    public void unsubscribe(String name) {
        Backlog backlog = engine.deliveries().backlog(name);
        long rounds = (backlog.pending() + backlog.dead()) / REMOVED_AT_ONCE;
        boolean gone = false;
        while (!gone) {
            // Without a limit in the end, because new deliveries may arrive as fast as they are removed.
            int limit = rounds-- >= 0 ? REMOVED_AT_ONCE : Integer.MAX_VALUE;
            gone = run(new DeliveryCommand.Unsubscribe(name, limit));
        }
    }

    /**
     * Removes expired entries in one commit. The commit ends after the current step if another writer waits, or if the
     * purging thread is interrupted. If it ends early, the engine's background work catches up before this method returns.
     *
     * @param groups the groups
     * @param until the time by which they have expired
     * @return the removed rows, or how many they were if nobody asks for them; and whether there are more
     */
    public PurgeResult purge(GroupRange groups, long until) {
        Thread purging = Thread.currentThread();
        int most = dispatcher.hasListeners() ? PURGE_FOLLOWED : PURGE_ALONE;
        boolean wasInterrupted = purging.isInterrupted(); // a thread that commits hides it meanwhile
        BooleanSupplier goOn = () -> groupCommit.isIdle() && !wasInterrupted && !purging.isInterrupted();
        PurgeResult purged = run(new Command.Purge(groups, until, most, goOn, listed));
        if (purged.more() && purged.count() < most) {
            engine.settle();
        }
        return purged;
    }

    /**
     * Removes all that is stored of some groups: their entries as {@link #clear} does, and then, in several commits so that others can
     * write meanwhile, their retained entries and the deliveries of their expiries, also dead letters.
     *
     * @param groups the groups
     */
    public void erase(GroupRange groups) {
        long unused = clear(groups);
        ProgressLog progress = new ProgressLog("Erasing groups");
        List<Forgotten> retained = List.of(new Forgotten(groups, Long.MAX_VALUE));
        untilNone(progress, () -> forget(retained, REMOVED_AT_ONCE));
        for (Subscriber subscriber : engine.deliveries().subscribers()) {
            String name = subscriber.name(); // whose groups may have been others when a delivery was recorded
            untilNone(progress, () -> run(new DeliveryCommand.Erase(name, groups, REMOVED_AT_ONCE)));
        }
    }

    private static void untilNone(ProgressLog progress, IntSupplier remove) {
        int removed;
        do {
            removed = remove.getAsInt();
            progress.add(removed);
        } while (removed > 0);
    }

    /**
     * Removes retained entries.
     *
     * @param groups the groups, and what they forget
     * @param limit how many at most
     * @return how many have been removed
     */
    public int forget(List<Forgotten> groups, int limit) {
        return run(new Command.Forget(groups, limit));
    }

    /**
     * Lets retained entries expire now whose expiry comes from a clock that was ahead.
     *
     * @param limit how many at most
     * @return how many were changed
     */
    public int mendRetained(int limit) {
        return run(new Command.MendRetained(limit));
    }

    /** Runs a command in a commit of its own, and returns after the listeners of the commit were called. */
    private <R extends @Nullable Object> R run(Command<R> command) {
        return await(Submission.of(command));
    }

    /** Requires that a commit to groups does not wait for a transaction of the calling thread. */
    private void requireFree(GroupRange groups) {
        JoinableTransactions transactions = joinable;
        if (transactions != null) {
            transactions.requireFree(groups);
        }
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

    /**
     * Requires that this thread neither runs a transaction nor a codec or an observer that a write has called.
     * Otherwise other work in this thread would not see the transaction's changes, or would wait for its own thread.
     *
     * @throws IllegalStateException if it does
     */
    public void requireNoTransaction() {
        if (writers.isOneMine()) {
            throw new IllegalStateException(
                    "The store must not be used within its own transaction, nor by a codec or an observer;"
                            + " use the groups of the transaction that was passed in");
        }
    }
}
