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
 * Purges stores, one after the other, at the interval of {@code store.purge-interval}, for the first time when the application
 * has started: on the application's scheduler where it has enabled scheduling, else on a thread of its own. Thread-safe.
 */
public final class StorePurgeJob {

    private static final Logger log = LoggerFactory.getLogger(StorePurgeJob.class);

    /** When each was last purged, by {@code System.nanoTime()}. The map itself does not change. */
    private final Map<Store, AtomicLong> lastEnds = new LinkedHashMap<>();

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong runs = new AtomicLong();
    private volatile long lastRunNanos = System.nanoTime();

    /**
     * Creates the job.
     *
     * @param stores what to purge
     */
    public StorePurgeJob(Collection<? extends Store> stores) {
        stores.forEach(store -> lastEnds.put(store, new AtomicLong(lastRunNanos)));
    }

    /**
     * Purges each store once; one that fails does not keep the others from it. What is thrown is logged by the scheduler, and
     * the next run comes all the same.
     *
     * @throws RuntimeException what the first store that failed has thrown; what others have is suppressed. An error is its
     *     cause, since some schedulers never run a task again that has thrown one
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
     * Whether the job purges this store.
     *
     * @param store a store
     * @return whether it does
     */
    public boolean purges(Store store) {
        return lastEnds.containsKey(store);
    }

    /**
     * How long ago the job has last purged a store. A purge that fails does not count.
     *
     * @param store a store
     * @return the time since then; since the job was made, if it has not been done yet; zero if the job does not purge it
     */
    public Duration sinceLastEnd(Store store) {
        AtomicLong lastEnd = lastEnds.get(store);
        return lastEnd == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastEnd.get());
    }

    /**
     * How long the job has not run, be it that it failed when it did.
     *
     * @return the time since the last run; since the job was made, if there was none; zero while it runs
     */
    public Duration sinceLastRun() {
        return running.get() > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastRunNanos);
    }

    /**
     * How often the job has run, be it that it failed when it did.
     *
     * @return the number of runs that have ended
     */
    public long runs() {
        return runs.get();
    }
}
