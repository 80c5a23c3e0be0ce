package dev.ttlstore.internal.purge;

import java.time.Duration;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.internal.base.Progress;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.stats.Meter;

/**
 * Removes expired entries, in commits that end as soon as a writer waits. Mutations run in the order of their arrival,
 * so a writer that arrives during a commit comes before the next one. With the expiry index, the cost depends on the
 * number of removed entries.
 */
public final class Purge {

    private static final int FORGET_BATCH = 1_000;

    private final CommitPipeline pipeline;
    private final StoreClock clock;
    private final long retentionMillis;
    private final Meter meter;

    /**
     * Prepares purges.
     *
     * @param pipeline takes writes
     * @param clock the store's time
     * @param retention how long expired entries are kept after they were removed; zero to keep none
     * @param meter counts purges
     */
    public Purge(CommitPipeline pipeline, StoreClock clock, Duration retention, Meter meter) {
        this.pipeline = pipeline;
        this.clock = clock;
        this.retentionMillis = retention.toMillis();
        this.meter = meter;
    }

    /**
     * Removes all entries that have expired by now. An interrupt of the thread ends the purge after the current batch,
     * and the thread's interrupt status stays set. The rest waits for the next purge.
     *
     * @param groups the groups to purge
     * @return how many entries were removed
     */
    public long run(GroupRange groups) {
        long until = clock.now(); // fixed, so that a purge ends however fast entries expire
        long start = meter.start();
        forget(groups, until); // first, because on a full disk the following removals need the room
        Progress progress = new Progress("Removing expired entries");
        PurgeResult purged;
        do {
            purged = pipeline.ranges().purge(groups, until);
            progress.add(purged.removed().size());
        } while (purged.more() && !Thread.currentThread().isInterrupted());
        long removed = progress.done();
        if (removed > 0) { // some entries may have expired so long ago that their retention is over
            forget(groups, until);
        }
        meter.purged(removed, clock.now(), start);
        return removed;
    }

    private void forget(GroupRange groups, long now) {
        if (retentionMillis == 0) {
            return;
        }
        Progress progress = new Progress("Removing retained entries");
        int batch;
        do {
            batch = pipeline.ranges().forget(groups, now - retentionMillis, FORGET_BATCH);
            progress.add(batch);
        } while (batch > 0 && !Thread.currentThread().isInterrupted());
    }
}
