package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.JoinableTransactions;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.commit.Draft;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.internal.base.Completions;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.CommitEvents;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * The single entry point for writes: requests, synchronous or asynchronous; commands; transactions; and the
 * close of the store. Callers share commits, see {@link GroupCommit}.
 *
 * <p>Events leave in commit order, after the writer was given back, so a listener may write. Thread-safe.
 */
public final class CommitPipeline {

    private static final Logger log = LoggerFactory.getLogger(CommitPipeline.class);

    /** How many runs of a transaction there are between two log messages about them. */
    private static final int NOTABLE_RUNS = 10;

    private final EventDispatcher dispatcher;
    private final Meter meter;
    private final Completions completions;
    private final WriterParts parts;
    private final Writers writers;
    private final GroupCommit groupCommit;
    private final StoreWrites writes;
    private final RemoteCommits remote;
    private final @Nullable JoinableTransactions joinable;

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
        this.meter = meter;
        this.completions = completions;
        this.parts = new WriterParts(engine, cache, dispatcher, quotas, retained, meter);
        this.writers = new Writers(engine.info().commits(), parts);
        this.groupCommit = new GroupCommit(writers, dispatcher, completions);
        this.remote = new RemoteCommits(dispatcher, parts);
        this.joinable = engine.joinableTransactions().orElse(null);
        this.writes = new StoreWrites(groupCommit, writers, dispatcher, meter, engine, this::areEventsUsed);
    }

    /**
     * Registers the listener for all later commits.
     *
     * @param listener the listener; it replaces an earlier one
     */
    public void onCommit(CommitListener listener) {
        parts.onCommit(listener);
    }

    /** Makes the engine report its own commits, and those of other processes. Called once, before anything is written. */
    public void start() {
        parts.engine().start(remote);
    }

    /**
     * Returns the renewals of the commit in progress.
     *
     * @return where a reader that finds an entry expired checks for a renewal in progress
     */
    public PendingRenewals renewals() {
        return parts.renewals();
    }

    /**
     * Returns the quotas of namespaces.
     *
     * @return what later writes are checked against
     */
    public Quotas quotas() {
        return parts.settings().quotas();
    }

    /**
     * Returns the writes that are no transactions.
     *
     * @return requests and commands of this pipeline
     */
    public StoreWrites writes() {
        return writes;
    }

    /** Tests whether anybody asks for the events of a commit: a listener, a later watch, a count of a group, or another process. */
    private boolean areEventsUsed() {
        return dispatcher.keepsEvents()
                || meter.countsGroups()
                || parts.engine().info().isShared()
                || mayGoBack();
    }

    /** If the time goes back, what a purge has removed would be live again in the cache, unless the purge names it. */
    private boolean mayGoBack() {
        StoreClock clock = parts.engine().clock();
        long unused = clock.now(); // which notices a leap
        return clock.leap() != null;
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
        writes.requireNoTransaction();
        Headroom.require();
        long asked = meter.start();
        R answer;
        @Nullable CommitEvents delivery;
        Writer writer = writers.takeAll();
        if (writer == null) {
            throw new StoreClosedException();
        }
        try {
            answer = run(writer, work);
            delivery = writer.delivery();
        } finally {
            writers.giveBack(writer);
        }
        dispatcher.deliver(delivery);
        meter.written(asked);
        return answer;
    }

    /**
     * Runs the work until it commits. Each further run has fewer entries that can still expire, because no other thread of
     * this store writes meanwhile, and the engine makes sure that conflicts end.
     */
    private <R extends @Nullable Object> R run(Writer writer, Function<Draft, R> work) {
        for (int run = 1; ; run++) {
            try (EngineSnapshot snapshot = parts.engine().snapshot()) {
                Draft draft = new Draft(parts.settings(), snapshot, List.of());
                R answer = work.apply(draft);
                Committed unused = writer.commit(new Batch.Decided(parts.settings(), draft.writes(), snapshot), 1);
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
                : (JoinedTransaction) transactions.join(begun -> new JoinedTransaction(begun, parts));
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
        writes.requireNoTransaction();
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
                parts.engine().close(deadline.left());
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
