package dev.ttlstore.commit;

import java.time.Duration;
import java.util.function.IntSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.GroupRange;

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
    private final long retentionMillis;

    /**
     * Prepares purges.
     *
     * @param pipeline the way in for writes
     * @param clock the store's time
     * @param retention how long expired entries are kept after they were removed; zero to not keep them
     */
    public Purge(CommitPipeline pipeline, StoreClock clock, Duration retention) {
        this.pipeline = pipeline;
        this.clock = clock;
        this.retentionMillis = retention.toMillis();
    }

    /**
     * Removes all that has expired by now. When the thread is interrupted the purge ends after the batch at hand, and the
     * thread's interrupt status stays set; the rest waits for the next purge.
     *
     * @param groups the groups to purge
     * @return how many entries were removed
     */
    public long run(GroupRange groups) {
        long until = clock.now(); // fixed, so that a purge ends however fast entries expire
        long removed = inBatches("expired", () -> pipeline.purge(groups, until, BATCH));
        if (retentionMillis > 0) {
            inBatches("retained", () -> pipeline.forget(groups, until - retentionMillis, BATCH));
        }
        return removed;
    }

    private static long inBatches(String what, IntSupplier work) {
        long lastProgress = System.nanoTime();
        long removed = 0;
        int batch;
        do {
            batch = work.getAsInt();
            removed += batch;
            if (System.nanoTime() - lastProgress > PROGRESS_NANOS) {
                lastProgress = System.nanoTime();
                log.info("Purging: {} {} entries removed so far", removed, what);
            }
        } while (batch == BATCH && !Thread.currentThread().isInterrupted());
        return removed;
    }
}
