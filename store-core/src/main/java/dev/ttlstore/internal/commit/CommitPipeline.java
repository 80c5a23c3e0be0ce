package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Command.Cleared;
import dev.ttlstore.engine.Command.Forgotten;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Deliveries.Backlog;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.JoinableTransactions;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.commit.Draft;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.base.Admission;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.base.ProgressLog;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.watch.EventDispatcher;
import dev.ttlstore.internal.watch.EventDispatcher.CommitEvents;

/**
 * The single entry point for writes: requests, synchronous or asynchronous; commands; transactions; and the
 * close of the store. Callers share commits, see {@link GroupCommit}. Refuses what would wait for its own thread, and
 * bounds what waits.
 *
 * <p>Events leave in commit order, after the writer was given back, so a listener may write. Thread-safe.
 */
public final class CommitPipeline {

    private static final Logger log = LoggerFactory.getLogger(CommitPipeline.class);

    /** How many runs of a transaction there are between two log messages about them. */
    private static final int NOTABLE_RUNS = 10;

    /** How many entries a purge removes in one commit at most. Larger commits write less per entry. */
    private static final int PURGE_ALONE = 16_000;

    /** The same limit while there are listeners, so that a watch can keep up. */
    private static final int PURGE_FOLLOWED = 1_000;

    /** How many deliveries or retained entries one commit removes that are no longer wanted. */
    private static final int REMOVED_AT_ONCE = 1_000;

    /** What asynchronous writes that wait may take: two shared commits, so that there is one while the other is made. */
    static final long MOST_WAITING = 2 * SubmissionQueue.MAX_BYTES;

    private final Admission waiting = new Admission("asynchronous writes", MOST_WAITING);
    private final EventDispatcher dispatcher;
    private final Completions completions;
    private final PendingRenewals renewals;
    private final CommitContext context;
    private final Writers writers;
    private final GroupCommit groupCommit;
    private final RemoteCommits remote;
    private final @Nullable JoinableTransactions joinable;
    private volatile CommitListener listener = CommitListener.NONE;

    /**
     * Starts a pipeline.
     *
     * @param engine stores the rows
     * @param cache holds some of the rows in memory
     * @param dispatcher delivers the events
     * @param quotas the quotas of namespaces
     * @param retained the groups whose expired rows are retained when they are removed
     * @param meter counts commits
     * @param completions completes the futures; closed with the pipeline
     */
    public CommitPipeline(
            Engine engine,
            RowCache cache,
            EventDispatcher dispatcher,
            Quotas quotas,
            List<GroupRange> retained,
            Meter meter,
            Completions completions) {
        this.dispatcher = dispatcher;
        this.completions = completions;
        this.renewals = new PendingRenewals(engine.info().commits());
        this.context = new CommitContext(
                engine,
                cache,
                dispatcher,
                new CommitSettings(retained, quotas, cache::peek, engine.clock()),
                meter,
                renewals,
                () -> listener);
        this.writers = new Writers(context);
        this.groupCommit = new GroupCommit(writers, dispatcher, completions);
        this.remote = new RemoteCommits(context);
        this.joinable = engine.joinableTransactions().orElse(null);
    }

    /**
     * Makes the engine report its own commits, and those of other processes. Called once, before anything is written.
     *
     * @param listener the listener of all commits
     */
    public void start(CommitListener listener) {
        this.listener = listener;
        context.engine().start(remote);
    }

    /**
     * Returns the renewals of the commit in progress.
     *
     * @return where a reader that finds an entry expired checks for a renewal in progress
     */
    public PendingRenewals renewals() {
        return renewals;
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
        enqueue(Submission.bytes(request), reply, leave -> Submission.of(request, reply, leave));
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
        enqueue(Submission.BYTES_OF_WRITE, reply, leave -> Submission.of(new Command.Clear(group), reply, leave));
    }

    /**
     * Removes a subscriber and its deliveries, in several commits so that others can write meanwhile. The last commit
     * removes the subscriber together with its remaining deliveries, and later commits record none for it. Until
     * then, commits still record deliveries for it.
     *
     * @param name the name of the subscriber
     */
    public void unsubscribe(String name) {
        Backlog backlog = context.engine().deliveries().backlog(name);
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
        PurgeResult purged = run(new Command.Purge(groups, until, most, goOn, context::areEventsUsed));
        if (purged.more() && purged.count() < most) {
            context.engine().settle();
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
        untilNone(progress, () -> run(new Command.Forget(retained, REMOVED_AT_ONCE)));
        for (Subscriber subscriber : context.engine().deliveries().subscribers()) {
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
     * Runs a command in a commit of its own, and returns after the listeners of the commit were called.
     *
     * @param command the command
     * @return its result
     * @param <R> the type of the result
     */
    public <R extends @Nullable Object> R run(Command<R> command) {
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
        long start = context.meter().start();
        R answer = await(submission);
        context.meter().written(start);
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

    /**
     * Runs a caller's work in a commit of its own, and returns after the listeners of the commit were called. Other
     * writers wait meanwhile. Readers do not wait, and see no changes before the commit. If the work throws, it is
     * rolled back.
     *
     * @param work the work
     * @return what it returned
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> R transact(Function<Draft, R> work) {
        requireNoTransaction();
        Headroom.require();
        long asked = context.meter().start();
        R answer;
        @Nullable CommitEvents delivery;
        Writer writer = writers.takeAll();
        if (writer == null) {
            throw new StoreClosedException();
        }
        try {
            answer = runUntilCommitted(writer, work);
            delivery = writer.delivery();
        } finally {
            writers.giveBack(writer);
        }
        dispatcher.deliver(delivery);
        context.meter().written(asked);
        return answer;
    }

    /**
     * Runs the work until it commits. Each further run has fewer entries that can still expire, because no other thread of
     * this store writes meanwhile, and the engine makes sure that conflicts end.
     */
    private <R extends @Nullable Object> R runUntilCommitted(Writer writer, Function<Draft, R> work) {
        for (int run = 1; ; run++) {
            try (EngineSnapshot snapshot = context.engine().snapshot()) {
                Draft draft = new Draft(context.settings(), snapshot, List.of());
                R answer = work.apply(draft);
                Committed unused = writer.commit(new Batch.Decided(context.settings(), draft.writes(), snapshot), 1);
                return answer;
            } catch (ConflictException e) {
                logManyRuns(run);
            }
        }
    }

    private static void logManyRuns(int run) {
        if (run % NOTABLE_RUNS == 0) {
            log.warn(
                    "A transaction has run {} times, because entries that it renews have expired meanwhile or were changed by"
                            + " others; other writers wait for it, so do less in it",
                    run);
        }
    }

    /**
     * Returns whether threads may be in transactions of the application in which the store takes part.
     *
     * @return whether {@link #joined} may return one
     */
    public boolean joins() {
        return joinable != null;
    }

    /**
     * Takes part in the transaction of the application that this thread is in.
     *
     * @return what the store has read and decided in it; null if the thread is in none
     */
    public @Nullable JoinedTransaction joined() {
        JoinableTransactions transactions = joinable;
        return transactions == null
                ? null
                : (JoinedTransaction) transactions.join(begun -> new JoinedTransaction(begun, context));
    }

    /**
     * Requires that no write waits for ever.
     *
     * @throws StoreException if a thread has left its commit, or its calls of listeners, without an end
     */
    public void requireMoving() {
        if (writers.isOneLost() || dispatcher.isStuck()) {
            throw new StoreException(
                    "An out-of-memory error has ended a thread's work in the middle, so that others wait for it for ever",
                    "Restart the application. With the option -XX:+ExitOnOutOfMemoryError it would have ended at once",
                    null);
        }
    }

    /**
     * Commits the queued submissions, closes the engine, and delivers all events. A
     * transaction, a commit or a listener that does not end in time is abandoned. The commit of an abandoned transaction is
     * refused, and so are the writes that waited for it. An abandoned commit goes on, and nobody waits for it: whose writes it has taken
     * does not learn whether they were made.
     *
     * @param deadline when to give up waiting
     */
    public void close(Deadline deadline) {
        requireNoTransaction();
        boolean alone = false;
        try {
            alone = deadline.tryUntil(writers::tryTakeAll)
                    && new LastCommits(groupCommit, writers.alone()).commit(deadline);
            closeEngine(alone, deadline);
        } finally {
            endDelivery(alone, deadline);
        }
    }

    private void closeEngine(boolean alone, Deadline deadline) {
        try {
            if (!alone) {
                log.warn(
                        "A transaction or a commit has not ended in time, so the store closes without it. A transaction's"
                                + " commit is refused, and so are the writes that waited. To wait longer, raise the builder's"
                                + " closeTimeout(…)");
                writers.abandon();
            }
        } finally {
            try {
                context.engine().close(deadline.left());
            } finally {
                if (alone) {
                    writers.giveBack(writers.alone());
                }
            }
        }
    }

    private void endDelivery(boolean alone, Deadline deadline) {
        try {
            dispatcher.deliverAll(deadline);
        } finally { // each future is completed, whatever happens
            if (!alone) {
                groupCommit.leaveBehind();
            }
            groupCommit.tellAll();
            groupCommit.close();
            completions.close();
            remote.close();
        }
    }
}
