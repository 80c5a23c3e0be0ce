package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.support.Deadline;

import static java.util.Objects.requireNonNull;

/**
 * The entries whose expiry a commit in progress extends. Between the writer's last reading of the clock and the end
 * of the commit, the old expiry of such an entry may pass. Readers would then see it expire and reappear. A reader
 * that finds the entry expired in that time waits until the commit has ended and reads again. No other reader waits.
 *
 * <p>The writer announces the commit, reads the clock, and decides again if one of the entries has expired by then. A
 * reader reads the clock, then checks for an announcement, then reads the engine. If the reader checks before the
 * announcement, the writer's clock is not behind the reader's, because the store's time never runs backwards. If it
 * checks after the end of the commit, it reads what was committed.
 */
public final class PendingRenewals {

    /**
     * How often a waiting reader checks for itself, because an error in the writer's thread can swallow the signal.
     */
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Lock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    /** Those in progress, each in a place of its own. */
    private final AtomicReferenceArray<@Nullable Announced> committing;

    /**
     * Creates an instance without a commit in progress.
     *
     * @param most how many commits there are at the same time
     */
    PendingRenewals(int most) {
        committing = new AtomicReferenceArray<>(most);
    }

    /** The rows that a commit in progress renews, as they are committed before. Each is equal to itself alone. */
    static final class Announced {
        private final List<RowChange> changes;

        /** The rows by their names, once a reader has asked for one: most commits end before that. */
        private volatile @Nullable Map<RowKey, Row> rows;

        private Announced(List<RowChange> changes) {
            this.changes = changes;
        }

        /** Returns the rows that get a later expiry, or are replaced by such, as they are committed. */
        private Map<RowKey, Row> rows() {
            Map<RowKey, Row> renewed = rows;
            if (renewed == null) {
                renewed = changes.stream()
                        .filter(RowChange::isKeptAlive)
                        .collect(Collectors.toMap(RowChange::key, change -> requireNonNull(change.before())));
                rows = renewed;
            }
            return renewed;
        }

        private boolean isExpired(RowKey key, long time) {
            Row row = rows().get(key);
            return row != null && !row.isLiveAt(time);
        }

        private boolean isAnyExpired(GroupRange groups, long time) {
            for (Row row : rows().values()) {
                if (!row.isLiveAt(time) && groups.contains(row.key().group())) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Announces a commit. Returns what to {@link #end}; null if it renews nothing. */
    @Nullable
    Announced begin(WriteSet writes) {
        List<RowChange> changes = writes.rows();
        for (int i = 0; i < changes.size(); i++) { // called for each commit, so without an iterator
            if (changes.get(i).isKeptAlive()) {
                return announce(new Announced(changes));
            }
        }
        return null;
    }

    private Announced announce(Announced announced) {
        for (int i = 0; i < committing.length(); i++) {
            if (committing.compareAndSet(i, null, announced)) {
                return announced;
            }
        }
        throw new IllegalStateException("There are more commits than may be in progress");
    }

    /** Ends an announcement, after the commit has succeeded or failed. */
    void end(Announced announced) {
        for (int i = 0; i < committing.length(); i++) {
            boolean unused = committing.compareAndSet(i, announced, null);
        }
        lock.lock();
        try {
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until no commit in progress renews an entry.
     *
     * @param key the entry
     * @param time when the entry was found expired
     */
    public void await(RowKey key, long time) {
        if (isAny()) {
            awaitEnds(announced -> announced.isExpired(key, time));
        }
    }

    /**
     * Waits until no commit in progress renews one of some entries.
     *
     * @param keys the entries
     * @param time the time by which their expiry is judged
     */
    public void await(Collection<RowKey> keys, long time) {
        if (isAny()) {
            keys.forEach(key -> await(key, time));
        }
    }

    /**
     * Waits until no commit in progress renews an entry of some groups.
     *
     * @param groups the groups
     * @param time the time by which their expiry is judged
     */
    public void await(GroupRange groups, long time) {
        if (isAny()) {
            awaitEnds(announced -> announced.isAnyExpired(groups, time));
        }
    }

    /** Waits for the commits that are in progress now. Later ones see a clock that is not behind this reader's. */
    private void awaitEnds(Predicate<Announced> concerned) {
        for (int i = 0; i < committing.length(); i++) {
            Announced announced = committing.get(i);
            if (announced != null && concerned.test(announced)) {
                awaitEnd(i, announced);
            }
        }
    }

    private boolean isAny() {
        for (int i = 0; i < committing.length(); i++) {
            if (committing.get(i) != null) {
                return true;
            }
        }
        return false;
    }

    private void awaitEnd(int place, Announced announced) {
        lock.lock();
        try {
            while (committing.get(place) == announced) {
                // In spite of an interrupt: a commit ends on its own, and soon.
                boolean unused = Deadline.in(LOOK).tryUntil(nanos -> ended.awaitNanos(nanos) > 0);
            }
        } finally {
            lock.unlock();
        }
    }
}
