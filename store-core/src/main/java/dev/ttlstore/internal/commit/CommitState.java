package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.LoggedChange;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.internal.cache.NoCache;
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

    private static final SafeLog END_FAILED =
            new SafeLog(log, "A commit succeeded, but the work after it has failed; its events may be missing");

    private final Engine engine;
    private final RowCache cache;
    private final EventDispatcher dispatcher;
    private final Draft.Settings settings;
    private final Meter meter;
    private final PendingRenewals renewals = new PendingRenewals();
    /** Whether other processes write the same data. */
    private final boolean shared;

    private volatile CommitListener listener = CommitListener.NONE;

    CommitState(
            Engine engine,
            RowCache cache,
            EventDispatcher dispatcher,
            QuotaGuards quotas,
            List<GroupRange> retained,
            Meter meter) {
        this.engine = engine;
        this.cache = cache;
        this.dispatcher = dispatcher;
        this.settings = new Draft.Settings(retained, quotas, cache, dispatcher::wantsValues, engine.clock());
        this.meter = meter;
        this.shared = !engine.info().exclusive();
    }

    Engine engine() {
        return engine;
    }

    /** Tests whether other processes write the same data. */
    boolean isShared() {
        return shared;
    }

    RowCache cache() {
        return cache;
    }

    PendingRenewals renewals() {
        return renewals;
    }

    void onCommit(CommitListener commitListener) {
        this.listener = commitListener;
    }

    CommitListener listener() {
        return listener;
    }

    /** Returns the start of a commit, for {@link #finish}. */
    long start() {
        return meter.start();
    }

    Draft.Settings settings() {
        return settings;
    }

    /**
     * Stores a draft, as the last step before the engine commits. Throws {@link Overtaken} if an entry that the draft
     * keeps alive has expired meanwhile; the draft must then be decided again.
     */
    void storeInTime(Draft draft, EngineTransaction transaction) {
        new DraftWriter(draft).store(transaction);
        if (shared) {
            log(draft, transaction);
        }
        renewals.begin(draft);
        if (draft.renewals().areOvertaken(transaction.now())) {
            renewals.end();
            throw new Overtaken();
        }
    }

    /** Logs what a draft has decided for other processes. */
    static void log(Draft draft, EngineTransaction transaction) {
        List<LoggedChange> changes = ChangeLog.changes(draft);
        if (!changes.isEmpty()) {
            transaction.log(changes);
        }
    }

    /** Returns what all drafts of transactions of the application share: their changes are reported by the engine, like others'. */
    Draft.Settings settingsOfOuter() {
        return new Draft.Settings(
                settings.retained(), settings.quotas(), NoCache.INSTANCE, group -> false, settings.clock());
    }

    /** Finishes the participation in a transaction of the application that was committed, or may have been. */
    void finishOuter(Draft draft, long start) {
        draft.rows().all().stream()
                .filter(DraftRow::isChanged)
                .map(draftRow -> draftRow.loaded() == null ? draftRow.current() : draftRow.loaded())
                .filter(Objects::nonNull)
                .forEach(row -> cache.drop(row.key()));
        meter.committed(draft.log().events(), 1, start);
    }

    /** Prepares for another attempt, after the engine has rolled back the first one. */
    void repeated() {
        renewals.end();
        failed();
    }

    /** Forgets what a commit has decided, after it failed or if its outcome is unknown. */
    void failed() {
        cache.failed();
    }

    /**
     * Finishes a commit, and queues its events for delivery. The commit has succeeded, so a failure here is only
     * logged.
     */
    @Nullable
    CommitEvents finish(Draft draft, int writes, long start) {
        try {
            renewals.end();
            cache.committed();
            listener.committed(draft.now(), draft.earliestExpiry(), draft.hasRecorded());
            meter.expired(draft.log().leftOut());
            Long leftOut = draft.log().leftOutNumber();
            if (leftOut != null) {
                dispatcher.leftOut(leftOut);
            }
            meter.committed(draft.log().events(), writes, start);
            return dispatcher.enqueue(draft.log().events());
        } catch (RuntimeException | Error e) {
            List<StoreEvent> events = draft.log().events();
            if (!events.isEmpty()) {
                dispatcher.unqueued(events.get(0).sequence()); // first: there may be no memory for the message
            }
            END_FAILED.warn(e);
            return null;
        }
    }
}
