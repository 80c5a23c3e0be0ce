package dev.ttlstore.internal.base;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.GroupActivity;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;

/**
 * Counts what a store does, and reports to observers how long it takes. Reads the time only while there is an
 * observer. Thread-safe.
 */
public final class Meter {

    private static final Logger log = LoggerFactory.getLogger(Meter.class);

    private static final long NOT_TIMED = 0;

    private final EntryCounts all = new EntryCounts(null);
    private final Map<String, EntryCounts> groups = new HashMap<>();
    private final LongAdder commits = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder purges = new LongAdder();
    private final List<StoreObserver> observers = new CopyOnWriteArrayList<>();
    private volatile long lastPurge = Row.NEVER;
    private volatile boolean observerHasFailed;

    /**
     * Creates a meter with all counts at zero.
     *
     * @param groups the full names of the groups that are also counted separately
     */
    public Meter(Collection<String> groups) {
        groups.forEach(group -> this.groups.put(group, new EntryCounts(all)));
    }

    /**
     * Returns the counts for all entries.
     *
     * @return the counts
     */
    public EntryCounts all() {
        return all;
    }

    /**
     * Returns the counts for the groups that are counted separately.
     *
     * @return the counts, by full group name
     */
    public Map<String, EntryCounts> groups() {
        return Map.copyOf(groups);
    }

    /**
     * Returns the counts to which a group's reads and writes are added.
     *
     * @param group its full name
     * @return its own counts, or those for all entries
     */
    public EntryCounts of(String group) {
        return groups.getOrDefault(group, all);
    }

    /**
     * Returns the number of commits.
     *
     * @return the count
     */
    public long commits() {
        return commits.sum();
    }

    /**
     * Returns how many calls these commits served.
     *
     * @return the count
     */
    public long writes() {
        return writes.sum();
    }

    /**
     * Returns the number of purges.
     *
     * @return the count
     */
    public long purges() {
        return purges.sum();
    }

    /**
     * Returns when the last purge ended.
     *
     * @return the store's time, in milliseconds since the epoch; {@link Row#NEVER} if there was none
     */
    public long lastPurge() {
        return lastPurge;
    }

    /**
     * Registers an observer.
     *
     * @param observer the observer
     * @return the subscription
     */
    public Subscription observe(StoreObserver observer) {
        observers.add(observer);
        return new SubscriptionOnce(() -> observers.remove(observer));
    }

    /**
     * Returns the time if there is an observer.
     *
     * @return the start of some work, to pass on when the work is done
     */
    public long start() {
        return observers.isEmpty() ? NOT_TIMED : System.nanoTime() | 1;
    }

    /**
     * Reports a write that has returned.
     *
     * @param start the result of {@link #start} before it
     */
    public void written(long start) {
        tell(start, StoreObserver::written);
    }

    /**
     * Creates the future of an asynchronous write that begins now, and reports the write when it succeeds.
     *
     * @return the future
     * @param <R> the type of the answer
     */
    public <R extends @Nullable Object> CompletableFuture<R> future() {
        CompletableFuture<R> future = new CompletableFuture<>();
        long start = start();
        if (start != NOT_TIMED) {
            CompletableFuture<?> unused = future.thenRun(() -> written(start));
        }
        return future;
    }

    /**
     * Reports a commit.
     *
     * @param changes what has happened in it
     * @param served how many writes share it
     * @param start the result of {@link #start} before it
     */
    public void committed(List<Change> changes, int served, long start) {
        commits.increment();
        writes.add(served);
        changes.forEach(change -> of(change.group()).count(change));
        tell(start, (observer, nanos) -> observer.committed(served, nanos));
    }

    /**
     * Tests whether groups are counted separately, so that each event counts for its group.
     *
     * @return whether there is one
     */
    public boolean countsGroups() {
        return !groups.isEmpty();
    }

    /**
     * Reports a purge.
     *
     * @param entries how many entries it has removed
     * @param now the time by which they had expired
     * @param start the result of {@link #start} before it
     */
    public void purged(long entries, long now, long start) {
        purges.increment();
        lastPurge = now;
        tell(start, (observer, nanos) -> observer.purged(entries, nanos));
    }

    private void tell(long start, ObjLongConsumer<StoreObserver> message) {
        if (start == NOT_TIMED) {
            return;
        }
        long nanos = System.nanoTime() - start;
        for (StoreObserver observer : observers) {
            try {
                message.accept(observer, nanos);
            } catch (Throwable e) { // whatever the failure, the work is done
                if (!observerHasFailed) {
                    observerHasFailed = true;
                    SafeLog.ofApplication(log, "An observer of the store has failed; this is logged once")
                            .warn(e);
                }
            }
        }
    }

    /** Counts for entries. What is counted for a group is also counted for all entries. */
    public static final class EntryCounts {

        private final LongAdder hits = new LongAdder();
        private final LongAdder misses = new LongAdder();
        private final LongAdder created = new LongAdder();
        private final LongAdder replaced = new LongAdder();
        private final LongAdder deleted = new LongAdder();
        private final LongAdder expired = new LongAdder();

        private final @Nullable EntryCounts whole;

        private EntryCounts(@Nullable EntryCounts whole) {
            this.whole = whole;
        }

        /**
         * Counts a read of an entry.
         *
         * @param found whether it found the entry
         */
        public void read(boolean found) {
            (found ? hits : misses).increment();
            if (whole != null) {
                whole.read(found);
            }
        }

        private void count(Change change) {
            switch (change.kind()) {
                case CREATED -> created.increment();
                case REPLACED -> replaced.increment();
                case DELETED -> deleted.increment();
                case EXPIRED -> expired.increment();
                case GROUP_DELETED -> deleted.add(change.entries());
                case UNLISTED -> expired.add(change.entries()); // only if no group is counted for itself
                case SHORTENED -> {
                    // Still the same entry.
                }
            }
            if (whole != null) {
                whole.count(change);
            }
        }

        /**
         * Returns the counts.
         *
         * @return the counts
         */
        public GroupActivity activity() {
            return new GroupActivity(
                    hits.sum(), misses.sum(), created.sum(), replaced.sum(), deleted.sum(), expired.sum());
        }
    }
}
