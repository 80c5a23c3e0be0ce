package dev.ttlstore.spring.purge;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import dev.ttlstore.Store;

/**
 * Purges stores, one after the other, at the interval of {@code store.purge-interval}. The first run follows the
 * start of the application. The job runs on the application's scheduler if scheduling is enabled, and otherwise on a
 * thread of the starter. Thread-safe.
 */
public final class StorePurgeJob {

    private static final Logger log = LoggerFactory.getLogger(StorePurgeJob.class);

    /** The times of each store's last purge, by {@code System.nanoTime()}. The map itself does not change. */
    private final Map<Store, AtomicLong> lastEnds = new LinkedHashMap<>();

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong runs = new AtomicLong();
    private volatile long lastRunNanos = System.nanoTime();

    /**
     * Creates the job.
     *
     * @param stores the stores to purge
     */
    public StorePurgeJob(Collection<? extends Store> stores) {
        stores.forEach(store -> lastEnds.put(store, new AtomicLong(lastRunNanos)));
    }

    /**
     * Purges each store once. If one fails, the others are still purged. The scheduler logs an exception and runs the
     * job again at the next interval.
     *
     * @throws RuntimeException the exception of the first store that fails; those of other stores are suppressed. An
     *     error becomes its cause, because some schedulers never run a task again after an error
     */
    @Scheduled(fixedDelayString = "${store.purge-interval:60s}")
    public void purge() {
        RuntimeException failure = null;
        running.incrementAndGet();
        try {
            for (Map.Entry<Store, AtomicLong> entry : lastEnds.entrySet()) {
                try {
                    long removed = entry.getKey().purgeExpired();
                    entry.getValue().set(System.nanoTime());
                    log.debug("Purged {} expired entries", removed);
                } catch (RuntimeException e) {
                    failure = and(failure, e);
                } catch (Error e) {
                    failure = and(failure, new IllegalStateException("A store could not be purged", e));
                }
            }
        } finally {
            lastRunNanos = System.nanoTime();
            runs.incrementAndGet();
            running.decrementAndGet();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException and(@Nullable RuntimeException first, RuntimeException next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }

    /**
     * Returns whether the job purges a store.
     *
     * @param store a store
     * @return whether the job purges it
     */
    public boolean purges(Store store) {
        return lastEnds.containsKey(store);
    }

    /**
     * Returns the time since the last successful purge of a store.
     *
     * @param store a store
     * @return the time since then, or since the creation of the job if it has not purged the store yet; zero if the
     *     job does not purge it
     */
    public Duration sinceLastEnd(Store store) {
        AtomicLong lastEnd = lastEnds.get(store);
        return lastEnd == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastEnd.get());
    }

    /**
     * Returns the time since the last run, successful or not.
     *
     * @return the time since then, or since the creation of the job if it has not run yet; zero while it runs
     */
    public Duration sinceLastRun() {
        return running.get() > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastRunNanos);
    }

    /**
     * Returns the number of runs that have ended, successful or not.
     *
     * @return the number of runs
     */
    public long runs() {
        return runs.get();
    }
}
