package dev.ttlstore.spring.purge;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import dev.ttlstore.Store;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.exception.StoreClosedException;

/**
 * Purges stores, one after the other, at the interval of {@code store.purge-interval}. The first run follows the
 * start of the application. The job runs on the application's scheduler if scheduling is enabled, and otherwise on a
 * thread of the starter. Thread-safe.
 *
 * <pre>{@code
 * StorePurgeJob job = new StorePurgeJob(List.of(store));
 * job.purge();
 * }</pre>
 *
 * @since 0.1
 * @see dev.ttlstore.spring.autoconfigure.StoreProperties
 */
public final class StorePurgeJob {

    private static final Logger log = LoggerFactory.getLogger(StorePurgeJob.class);

    /** What is known of each store. The map itself does not change. */
    private final Map<Store, Purged> purged = new LinkedHashMap<>();

    /**
     * The purges of a store.
     *
     * @param lastEnd when the last one has succeeded, by {@code System.nanoTime()}
     * @param retries logs those that fail
     */
    private record Purged(AtomicLong lastEnd, RetryLog retries) {}

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong runs = new AtomicLong();
    private volatile long lastRunNanos = System.nanoTime();

    /**
     * Creates the job.
     *
     * @param stores the stores to purge
     */
    public StorePurgeJob(Collection<? extends Store> stores) {
        stores.forEach(store -> purged.put(
                store,
                new Purged(
                        new AtomicLong(lastRunNanos),
                        new RetryLog(log, "The purge of a store has failed; it is retried at the next interval"))));
    }

    /**
     * Purges each store once. If one fails, the others are still purged. A failure is no exception of this method, because it is
     * retried at the next interval: the first one is logged as a warning, and then one each hour until the purge works again.
     */
    @Scheduled(fixedDelayString = "${store.purge-interval:60s}")
    public void purge() {
        running.incrementAndGet();
        try {
            purged.forEach(StorePurgeJob::purge);
        } finally {
            lastRunNanos = System.nanoTime();
            runs.incrementAndGet();
            running.decrementAndGet();
        }
    }

    private static void purge(Store store, Purged purged) {
        try {
            long removed = store.purgeExpired();
            purged.lastEnd().set(System.nanoTime());
            log.debug("Purged {} expired entries", removed);
            purged.retries().succeeded("The purge of a store works again");
        } catch (StoreClosedException e) {
            log.debug("A store is closed, and is purged no more", e);
        } catch (RuntimeException | Error e) { // some schedulers never run a task again after an error
            purged.retries().failed(e);
        }
    }

    /**
     * Returns whether the job purges a store.
     *
     * @param store a store
     * @return whether the job purges it
     */
    public boolean purges(Store store) {
        return purged.containsKey(store);
    }

    /**
     * Returns the time since the last successful purge of a store.
     *
     * @param store a store
     * @return the time since then, or since the creation of the job if it has not purged the store yet; zero if the
     *     job does not purge it
     */
    public Duration sinceLastEnd(Store store) {
        Purged known = purged.get(store);
        return known == null
                ? Duration.ZERO
                : Duration.ofNanos(System.nanoTime() - known.lastEnd().get());
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
