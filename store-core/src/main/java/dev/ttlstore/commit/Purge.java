package dev.ttlstore.commit;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what has expired, in small commits between which other writers get in: mutations are served in the order of their
 * arrival, so whoever came during a batch is before the next one. The expiry index makes the cost that of what is removed.
 */
public final class Purge {

    private static final Logger log = LoggerFactory.getLogger(Purge.class);

    private static final int BATCH = 1_000;
    private static final long PROGRESS_NANOS = Duration.ofSeconds(5).toNanos();

    private final CommitPipeline pipeline;
    private final StoreClock clock;

    /**
     * Prepares purges.
     *
     * @param pipeline the way in for writes
     * @param clock the store's time
     */
    public Purge(CommitPipeline pipeline, StoreClock clock) {
        this.pipeline = pipeline;
        this.clock = clock;
    }

    /**
     * Removes all that has expired by now. When the thread is interrupted the purge ends after the batch at hand, and the
     * thread's interrupt status stays set; the rest waits for the next purge.
     *
     * @return how many entries were removed
     */
    public long run() {
        long until = clock.now(); // fixed, so that a purge ends however fast entries expire
        long lastProgress = System.nanoTime();
        long removed = 0;
        int batch;
        do {
            batch = pipeline.submit(Mutations.purge(until, BATCH));
            removed += batch;
            if (System.nanoTime() - lastProgress > PROGRESS_NANOS) {
                lastProgress = System.nanoTime();
                log.info("Purging: {} expired entries removed so far", removed);
            }
        } while (batch == BATCH && !Thread.currentThread().isInterrupted());
        return removed;
    }
}
