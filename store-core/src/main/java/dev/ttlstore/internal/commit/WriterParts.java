package dev.ttlstore.internal.commit;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.watch.CommitEvents;
import dev.ttlstore.internal.watch.EventDispatcher;

/** What the writers of a store share, and what each commit tells the rest of the store. Thread-safe. */
final class WriterParts {

    private static final Logger log = LoggerFactory.getLogger(WriterParts.class);

    static final SafeLog END_FAILED =
            new SafeLog(log, "A commit succeeded, but the work after it has failed; its events may be missing");

    private final Engine engine;
    private final RowCache cache;
    private final EventDispatcher dispatcher;
    private final CommitSettings settings;
    private final Meter meter;
    private final PendingRenewals renewals;

    private volatile CommitListener listener = CommitListener.NONE;

    WriterParts(
            Engine engine,
            RowCache cache,
            EventDispatcher dispatcher,
            Quotas quotas,
            List<GroupRange> retained,
            Meter meter) {
        this.engine = engine;
        this.renewals = new PendingRenewals(engine.info().commits());
        this.cache = cache;
        this.dispatcher = dispatcher;
        this.settings = new CommitSettings(retained, quotas, cache::peek, engine.clock());
        this.meter = meter;
    }

    Engine engine() {
        return engine;
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

    CommitSettings settings() {
        return settings;
    }

    /** Returns the start of a commit, as the meter measures it. */
    long start() {
        return meter.start();
    }

    /**
     * Tells listeners and watches of a commit, and counts it. It has succeeded, so a failure here is only logged.
     *
     * @param done what it has come to
     * @param served how many writes share it
     * @param since its {@link #start}
     * @return the events, to be delivered; null if there are none, or if nobody listens
     */
    @Nullable
    CommitEvents committed(Committed done, int served, long since) {
        List<Change> changes = done.writes().changes();
        try {
            listener.committed(done.writes().by(), done.writes().earliestExpiry(), done.recorded());
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

    /** Ends the participation in a transaction of the application that was committed, or may have been. */
    void joined(WriteSet writes, long since) {
        writes.rows().forEach(change -> cache.drop(change.key()));
        meter.committed(writes.changes(), 1, since);
    }
}
