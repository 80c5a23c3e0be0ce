package dev.ttlstore.internal.commit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.StoreState;
import dev.ttlstore.internal.base.SafeLog;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.CommitEvents;
import dev.ttlstore.internal.watch.EventDispatcher;

/**
 * The state that one commit leaves to the next, and the steps that all commits share: how a draft begins, how the
 * engine gets it in time, and what follows a commit. Used under the writer's lock.
 */
final class CommitState {

    private static final Logger log = LoggerFactory.getLogger(CommitState.class);

    private final Engine engine;
    private final RowCache cache;
    private final StoreClock clock;
    private final EventDispatcher dispatcher;
    private final UsageLedger ledger;
    private final boolean retaining;
    private final Subscribers subscribers;
    private final Meter meter;
    private final PendingRenewals renewals = new PendingRenewals();
    private volatile CommitListener listener = CommitListener.NONE;
    private StoreState state;
    private long sequence;

    CommitState(
            Engine engine,
            RowCache cache,
            StoreClock clock,
            EventDispatcher dispatcher,
            UsageLedger ledger,
            boolean retaining,
            Subscribers subscribers,
            Meter meter) {
        this.engine = engine;
        this.cache = cache;
        this.clock = clock;
        this.dispatcher = dispatcher;
        this.ledger = ledger;
        this.retaining = retaining;
        this.subscribers = subscribers;
        this.meter = meter;
        this.state = engine.state();
        this.sequence = state.sequence();
    }

    Engine engine() {
        return engine;
    }

    PendingRenewals renewals() {
        return renewals;
    }

    void onCommit(CommitListener commitListener) {
        this.listener = commitListener;
    }

    /** Returns the start of a commit, for {@link #finish}. */
    long start() {
        return meter.start();
    }

    Draft.Settings settings(SavedState.Reserve reserve) {
        return new Draft.Settings(clock, sequence, state, retaining, subscribers.all(), ledger, reserve, cache);
    }

    /**
     * Sets versions aside, in a commit of its own. A transaction shows its versions to its caller before it commits,
     * and may then fail, or be lost with the process.
     */
    StoreState reserve(long upTo, StoreState before) {
        StoreState reserved = new StoreState(upTo, Math.max(before.time(), clock.now()));
        engine.write(transaction -> {
            transaction.save(reserved);
            return true;
        });
        state = reserved;
        return reserved;
    }

    /**
     * Stores a draft, as the last step before the engine commits. Throws {@link Overtaken} if an entry that the draft
     * keeps alive has expired meanwhile; the draft must then be decided again.
     */
    void storeInTime(Draft draft, EngineTransaction transaction) {
        draft.store(transaction);
        renewals.begin(draft);
        if (draft.renewals().areOvertaken(clock.now())) {
            renewals.end();
            throw new Overtaken(draft);
        }
    }

    /** Prepares for another attempt, after the engine has rolled back the first one. */
    void repeated() {
        renewals.end();
        cache.failed();
    }

    /** Forgets what a commit has decided, after it failed or if its outcome is unknown. */
    void failed() {
        cache.failed();
        ledger.reset(); // the ledger may contain changes that were not committed
    }

    /**
     * Forgets everything known about the data and reads the state again, because another owner has changed the data.
     */
    void reload() {
        failed();
        state = engine.state();
        sequence = Math.max(sequence, state.sequence());
    }

    /** Undoes a draft's changes to whatever outlives it. */
    void undo(Draft draft) {
        cache.failed();
        draft.undoAll();
    }

    /** Keeps the versions of a draft from being used again, even if its commit failed: somebody may have seen them. */
    void keepVersionsOf(Draft draft) {
        sequence = draft.log().sequence();
    }

    /**
     * Finishes a commit, and queues its events for delivery. The commit has succeeded, so a failure here is only
     * logged.
     */
    @Nullable
    CommitEvents finish(Draft draft, int writes, long start) {
        sequence = draft.log().sequence();
        state = draft.saved().current();
        try {
            cache.committed();
            draft.committed();
            listener.committed(draft.now(), draft.earliestExpiry(), draft.log().hasExpired());
            meter.committed(draft.log().events(), writes, start);
            return dispatcher.enqueue(draft.log().events());
        } catch (RuntimeException | Error e) {
            SafeLog.warn(log, "A commit succeeded, but the work after it has failed; its events may be missing", e);
            return null;
        }
    }
}
