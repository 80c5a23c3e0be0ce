package dev.ttlstore.internal.purge;

import java.time.Duration;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.internal.base.Progress;
import dev.ttlstore.internal.base.StoreClock;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.stats.Meter;

/**
 * Removes what has expired, in commits that end as soon as somebody waits: mutations are served in the order of their arrival,
 * so whoever came during a commit is before the next one. The expiry index makes the cost that of what is removed.
 */
public final class Purge {

    /** What is removed between two looks at who waits. */
    private static final int STEP = 64;

    private static final int FORGET_BATCH = 1_000;

    private final CommitPipeline pipeline;
    private final StoreClock clock;
    private final long retentionMillis;
    private final Meter meter;

    /**
     * Prepares purges.
     *
     * @param pipeline the way in for writes
     * @param clock the store's time
     * @param retention how long expired entries are kept after they were removed; zero to not keep them
     * @param meter what counts purges
     */
    public Purge(CommitPipeline pipeline, StoreClock clock, Duration retention, Meter meter) {
        this.pipeline = pipeline;
        this.clock = clock;
        this.retentionMillis = retention.toMillis();
        this.meter = meter;
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
        long start = meter.start();
        forget(groups, until); // first, for on a full disk those that follow need the room
        Progress progress = new Progress("Removing expired entries");
        PurgeResult purged;
        do {
            purged = pipeline.ranges().purge(groups, until, STEP);
            progress.add(purged.removed().size());
        } while (purged.more() && !Thread.currentThread().isInterrupted());
        long removed = progress.done();
        if (removed > 0) { // some of it may have expired so long ago that it is not to be retained any more
            forget(groups, until);
        }
        meter.purged(removed, clock.now(), start);
        return removed;
    }

    private void forget(GroupRange groups, long now) {
        if (retentionMillis == 0) {
            return;
        }
        Progress progress = new Progress("Forgetting retained entries");
        int batch;
        do {
            batch = pipeline.ranges().forget(groups, now - retentionMillis, FORGET_BATCH);
            progress.add(batch);
        } while (batch > 0 && !Thread.currentThread().isInterrupted());
    }
}
