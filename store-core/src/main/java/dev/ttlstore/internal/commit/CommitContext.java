package dev.ttlstore.internal.commit;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.watch.EventDispatcher;
import dev.ttlstore.internal.watch.EventDispatcher.CommitEvents;

/**
 * What the writers of a store share, and what each commit tells the rest of the store. Thread-safe.
 *
 * @param engine stores the rows
 * @param cache holds some of the rows in memory
 * @param dispatcher delivers the events
 * @param settings what each commit needs to decide
 * @param meter counts commits
 * @param renewals the renewals of the commits in progress
 * @param listener returns the listener of all commits
 */
record CommitContext(
        Engine engine,
        RowCache cache,
        EventDispatcher dispatcher,
        CommitSettings settings,
        Meter meter,
        PendingRenewals renewals,
        Supplier<CommitListener> listener) {

    private static final Logger log = LoggerFactory.getLogger(CommitContext.class);
    static final SafeLog END_FAILED =
            new SafeLog(log, "A commit succeeded, but the work after it has failed; its events may be missing");

    /**
     * Tells listeners and watches of a commit, and counts it. It has succeeded, so a failure here is only logged.
     *
     * @param done what it has come to
     * @param served how many writes share it
     * @param since when it began, as the meter measures it
     * @return the events, to be delivered; null if there are none, or if nobody listens
     */
    @Nullable
    CommitEvents committed(Committed done, int served, long since) {
        List<Change> changes = done.writes().changes();
        try {
            listener.get().committed(done.writes().by(), done.writes().earliestExpiry(), done.recorded());
            meter.committed(changes, served, since);
            unlisted(changes);
            return changes.isEmpty()
                    ? null
                    : dispatcher.enqueue(
                            changes.get(changes.size() - 1).sequence(),
                            () -> ChangeEvents.of(changes, dispatcher::wantsValues));
        } catch (RuntimeException | Error e) {
            if (!changes.isEmpty()) {
                dispatcher.unqueued(changes.get(0).sequence()); // first: there may be no memory for the message
            }
            END_FAILED.warn(e);
            return null;
        }
    }

    private void unlisted(List<Change> changes) {
        for (Change change : changes) {
            if (change.kind() == Change.Kind.UNLISTED) {
                dispatcher.leftOut(change.sequence());
            }
        }
    }

    /** Tests whether anybody asks for the events of a commit: a listener, a later watch, a count of a group, or another process. */
    boolean areEventsUsed() {
        return dispatcher.keepsEvents() || meter.countsGroups() || engine.info().isShared() || mayGoBack();
    }

    /** If the time goes back, what a purge has removed would be live again in the cache, unless the purge names it. */
    private boolean mayGoBack() {
        StoreClock clock = engine.clock();
        long unused = clock.now(); // which notices a leap
        return clock.leap() != null;
    }

    /** Ends the participation in a transaction of the application that was committed, or may have been. */
    void joined(WriteSet writes, long since) {
        writes.rows().forEach(change -> cache.drop(change.key()));
        meter.committed(writes.changes(), 1, since);
    }
}
