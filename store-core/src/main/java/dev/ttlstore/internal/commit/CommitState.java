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
 * What one commit leaves to the next, and what all of them do alike: how a draft begins, how it is handed to the engine in time,
 * and what follows when it is committed. Used under the writer's lock.
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

    /** When a commit begins, for {@link #finish}. */
    long start() {
        return meter.start();
    }

    Draft.Settings settings(SavedState.Reserve reserve) {
        return new Draft.Settings(clock, sequence, state, retaining, subscribers.all(), ledger, reserve, cache);
    }

    /** A transaction shows its versions to its caller, and may then come to nothing, or be cut off with the process. */
    StoreState reserve(long upTo, StoreState before) {
        StoreState reserved = new StoreState(upTo, Math.max(before.time(), clock.now()));
        engine.write(transaction -> {
            transaction.save(reserved);
            return true;
        });
        state = reserved;
        return reserved;
    }

    /** The last thing before the engine commits; the draft is to be decided again if an entry has expired meanwhile. */
    void storeInTime(Draft draft, EngineTransaction transaction) {
        draft.store(transaction);
        renewals.begin(draft);
        if (draft.renewals().areOvertaken(clock.now())) {
            renewals.end();
            throw new Overtaken(draft);
        }
    }

    /** What was handed to the engine has not come to be, and is decided again. */
    void repeated() {
        renewals.end();
        cache.failed();
    }

    /** What was decided has not come to be, or nobody knows. */
    void failed() {
        cache.failed();
        ledger.reset(); // it may hold changes that were not committed
    }

    /** Another owner has changed the data: forgets what was known of it. */
    void reload() {
        failed();
        state = engine.state();
        sequence = Math.max(sequence, state.sequence());
    }

    /** Takes a draft's changes out of what outlives it. */
    void undo(Draft draft) {
        cache.failed();
        draft.undoAll();
    }

    /** Gives none of these versions out again, though their commit may not be: somebody has seen them. */
    void keepVersionsOf(Draft draft) {
        sequence = draft.log().sequence();
    }

    /** The commit stands, whatever happens here. */
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
