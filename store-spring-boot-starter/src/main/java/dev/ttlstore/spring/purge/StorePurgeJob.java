package dev.ttlstore.spring.purge;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import dev.ttlstore.Store;

/**
 * Purges a store at the interval of {@code store.purge-interval}, for the first time when the application has started: on
 * the application's scheduler where it has enabled scheduling, else on a thread of its own.
 */
public final class StorePurgeJob {

    private static final Logger log = LoggerFactory.getLogger(StorePurgeJob.class);

    private final Store store;
    private volatile long lastEndNanos = System.nanoTime();

    /**
     * Creates the job.
     *
     * @param store what to purge
     */
    public StorePurgeJob(Store store) {
        this.store = store;
    }

    /** Purges once. What it throws is logged by the scheduler, and the next run comes all the same. */
    @Scheduled(fixedDelayString = "${store.purge-interval:60s}")
    public void purge() {
        long removed = store.purgeExpired();
        lastEndNanos = System.nanoTime();
        log.debug("Purged {} expired entries", removed);
    }

    /**
     * Whether it is this store that the job purges.
     *
     * @param other a store
     * @return whether it is
     */
    public boolean purges(Store other) {
        return store == other;
    }

    /**
     * How long ago the job was last done. It is not done by a purge that fails.
     *
     * @return the time since then; since the job was made, if it has not been done yet
     */
    public Duration sinceLastEnd() {
        return Duration.ofNanos(System.nanoTime() - lastEndNanos);
    }
}
