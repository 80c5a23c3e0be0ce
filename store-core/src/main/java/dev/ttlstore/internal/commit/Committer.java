package dev.ttlstore.internal.commit;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.stats.Meter;
import dev.ttlstore.internal.watch.CommitEvents;
import dev.ttlstore.internal.watch.EventDispatcher;

import static java.util.Objects.requireNonNull;

/**
 * Commits batches, and keeps what the store has in memory in step with them: the cache, the renewals in progress, the counts and the events. Used
 * under the writer's lock.
 */
final class Committer implements CommitObserver {

    private static final Logger log = LoggerFactory.getLogger(Committer.class);

    private static final SafeLog END_FAILED =
            new SafeLog(log, "A commit succeeded, but the work after it has failed; its events may be missing");

    private final Engine engine;
    private final RowCache cache;
    private final EventDispatcher dispatcher;
    private final CommitSettings settings;
    private final Meter meter;
    private final PendingRenewals renewals = new PendingRenewals();

    private volatile CommitListener listener = CommitListener.NONE;

    /** How many writes share the current commit. */
    private int served;

    /** When the current commit began, as the meter measures it. */
    private long start;

    /** Whether the engine has got everything that the current commit stores. */
    private boolean stored;

    /** What the current commit has come to, once it is made. */
    private @Nullable Committed committed;

    /** The events of the current commit, once it is made. */
    private @Nullable CommitEvents delivery;

    Committer(
            Engine engine,
            RowCache cache,
            EventDispatcher dispatcher,
            Quotas quotas,
            List<GroupRange> retained,
            Meter meter) {
        this.engine = engine;
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

    /** Returns the start of a commit in a transaction of the application, for {@link #joined}. */
    long start() {
        return meter.start();
    }

    /**
     * Commits a batch once. If this throws, it is not committed, unless it {@linkplain #mayHaveCommitted may have been}.
     *
     * @param batch the batch
     * @param writes how many writes share it
     * @return what it has come to; {@link #delivery} has its events
     */
    Committed commit(Batch batch, int writes) {
        served = writes;
        start = meter.start();
        stored = false;
        committed = null;
        delivery = null;
        try {
            engine.apply(batch);
        } catch (RuntimeException | Error e) {
            if (committed == null) {
                cache.failed();
                throw e;
            }
            END_FAILED.warn(e); // the commit is made, and a second run would count twice
        } finally {
            renewals.end();
        }
        Committed done = requireNonNull(committed);
        committed = null; // its values are the callers' from now on
        return done;
    }

    /** Returns the events of the last commit, to be delivered; null if there are none, or if nobody listens. */
    @Nullable
    CommitEvents delivery() {
        return delivery;
    }

    /**
     * Tests whether the last commit may have succeeded, although it has failed. An {@code Error} during the commit leaves that open, and an engine
     * may report that it does not know.
     */
    boolean mayHaveCommitted(Throwable failure) {
        return stored && (failure instanceof Error || failure instanceof OutcomeUnknownException);
    }

    @Override
    public void storing(WriteSet writes) {
        for (RowChange change : writes.rows()) {
            cache.change(change.key(), change.after());
        }
        for (Change change : writes.changes()) {
            switch (change.kind()) {
                case EXPIRED -> cache.change(new RowKey(change.group(), change.key()), null); // a purge changes no rows
                case GROUP_DELETED -> cache.clear(change.group());
                default -> {
                    // One of the rows above, or nothing that is cached.
                }
            }
        }
        renewals.begin(writes);
        stored = true;
    }

    @Override
    public void sending(Collection<RowKey> rows) {
        for (RowKey row : rows) {
            cache.change(row, null);
        }
        stored = true;
    }

    @Override
    public void abandoned() {
        stored = false;
        renewals.end();
        cache.failed();
    }

    /** Ends a commit, and queues its events for delivery. It has succeeded, so a failure here is only logged. */
    @Override
    public void committed(Committed done) {
        committed = done;
        List<Change> changes = done.writes().changes();
        try {
            renewals.end();
            cache.committed();
            listener.committed(done.writes().by(), done.writes().earliestExpiry(), done.recorded());
            meter.committed(changes, served, start);
            unlisted(changes);
            if (!changes.isEmpty()) {
                delivery = dispatcher.enqueue(
                        changes.get(changes.size() - 1).sequence(),
                        () -> ChangeEvents.of(changes, dispatcher::wantsValues));
            }
        } catch (RuntimeException | Error e) {
            if (!changes.isEmpty()) {
                dispatcher.unqueued(changes.get(0).sequence()); // first: there may be no memory for the message
            }
            END_FAILED.warn(e);
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
