package dev.ttlstore.internal.stats;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Row;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.internal.base.SubscriptionOnce;

/**
 * Counts what a store does, and tells observers how long it takes. The time is asked for only while there is an observer.
 * Thread-safe.
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
     * Starts to count.
     *
     * @param groups the full names of the groups that are counted by themselves, too
     */
    public Meter(Collection<String> groups) {
        groups.forEach(group -> this.groups.put(group, new EntryCounts(all)));
    }

    /**
     * What has been done to all entries.
     *
     * @return the counts
     */
    public EntryCounts all() {
        return all;
    }

    /**
     * What has been done to the entries of groups that are counted by themselves.
     *
     * @return the counts by full group name
     */
    public Map<String, EntryCounts> groups() {
        return Map.copyOf(groups);
    }

    /**
     * Where the entries of a group are counted.
     *
     * @param group its full name
     * @return its own counts, or those of all entries
     */
    public EntryCounts of(String group) {
        return groups.getOrDefault(group, all);
    }

    /**
     * How many commits there were.
     *
     * @return the count
     */
    public long commits() {
        return commits.sum();
    }

    /**
     * How many calls these commits have served.
     *
     * @return the count
     */
    public long writes() {
        return writes.sum();
    }

    /**
     * How many purges there were.
     *
     * @return the count
     */
    public long purges() {
        return purges.sum();
    }

    /**
     * When the last purge ended.
     *
     * @return the store's time, in milliseconds since the epoch; {@link Row#NEVER} if there was none
     */
    public long lastPurge() {
        return lastPurge;
    }

    /**
     * Adds an observer.
     *
     * @param observer whom to tell
     * @return the end of it
     */
    public Subscription observe(StoreObserver observer) {
        observers.add(observer);
        return new SubscriptionOnce(() -> observers.remove(observer));
    }

    /**
     * The time, if anybody wants to know how long it will have been.
     *
     * @return what to pass on when the work is done
     */
    public long start() {
        return observers.isEmpty() ? NOT_TIMED : System.nanoTime() | 1;
    }

    /**
     * A write has returned.
     *
     * @param start what {@link #start} told before it
     */
    public void written(long start) {
        tell(start, StoreObserver::written);
    }

    /**
     * Reports an asynchronous write when its future is completed.
     *
     * @param future the future
     */
    public void written(CompletableFuture<?> future) {
        long start = start();
        if (start != NOT_TIMED) {
            CompletableFuture<?> unused = future.thenRun(() -> written(start));
        }
    }

    /**
     * A commit has been made.
     *
     * @param events its events
     * @param served how many writes share it
     * @param start what {@link #start} told before it
     */
    public void committed(List<StoreEvent> events, int served, long start) {
        commits.increment();
        writes.add(served);
        events.forEach(event -> of(event.group()).count(event));
        tell(start, (observer, nanos) -> observer.committed(served, nanos));
    }

    /**
     * A purge has ended.
     *
     * @param entries how many it has removed
     * @param now the time by which they had expired
     * @param start what {@link #start} told before it
     */
    public void purged(long entries, long now, long start) {
        purges.increment();
        lastPurge = now;
        tell(start, (observer, nanos) -> observer.purged(entries, nanos));
    }

    /** What to tell an observer. */
    private interface Message {
        void tell(StoreObserver observer, long nanos);
    }

    private void tell(long start, Message message) {
        if (start == NOT_TIMED) {
            return;
        }
        long nanos = System.nanoTime() - start;
        for (StoreObserver observer : observers) {
            try {
                message.tell(observer, nanos);
            } catch (Throwable e) { // whatever it is, the work is done
                if (!observerHasFailed) {
                    observerHasFailed = true;
                    log.warn("An observer of the store has failed; this is told once", e);
                }
            }
        }
    }

    /** What has been done to entries; what is counted for a group is for all entries, too. */
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
         * @param found whether it was there
         */
        public void read(boolean found) {
            (found ? hits : misses).increment();
            if (whole != null) {
                whole.read(found);
            }
        }

        private void count(StoreEvent event) {
            if (event instanceof EntryPut put) {
                (put.created() ? created : replaced).increment();
            } else if (event instanceof EntryDeleted) {
                deleted.increment();
            } else if (event instanceof EntryExpired) {
                expired.increment();
            } else if (event instanceof GroupDeleted group) {
                deleted.add(group.entries());
            }
            if (whole != null) {
                whole.count(event);
            }
        }

        /**
         * How many reads have found their entry.
         *
         * @return the count
         */
        public long hits() {
            return hits.sum();
        }

        /**
         * How many reads have not.
         *
         * @return the count
         */
        public long misses() {
            return misses.sum();
        }

        /**
         * How many entries were created.
         *
         * @return the count
         */
        public long created() {
            return created.sum();
        }

        /**
         * How many were given a new value.
         *
         * @return the count
         */
        public long replaced() {
            return replaced.sum();
        }

        /**
         * How many were removed by a caller.
         *
         * @return the count
         */
        public long deleted() {
            return deleted.sum();
        }

        /**
         * How many expired ones were removed.
         *
         * @return the count
         */
        public long expired() {
            return expired.sum();
        }
    }
}
