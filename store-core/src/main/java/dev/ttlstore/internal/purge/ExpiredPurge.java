package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.internal.base.Meter;
import dev.ttlstore.internal.base.ProgressLog;
import dev.ttlstore.internal.commit.CommitPipeline;

/**
 * Removes expired entries, in commits that end as soon as a writer waits. Writes run in the order of their arrival,
 * so a writer that arrives during a commit comes before the next one. With the expiry index, the cost depends on the
 * number of removed entries. Writers of other processes cannot be seen to wait, so on a shared engine a purge of many
 * commits pauses between them for as long as each has taken, and uses half of the server's time at most.
 *
 * @param engine has the store's time
 * @param pipeline takes writes
 * @param meter counts purges
 * @param mending run after each purge
 */
public record ExpiredPurge(Engine engine, CommitPipeline pipeline, Meter meter, ClockLeapRepair mending) {

    private static final long MAX_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * Removes all entries that have expired by now. An interrupt of the thread ends the purge after the current batch,
     * and the thread's interrupt status stays set. The rest waits for the next purge.
     *
     * @param groups the groups to purge
     * @return how many entries were removed
     */
    public long run(GroupRange groups) {
        long until = engine.clock().now(); // fixed, so that a purge ends however fast entries expire
        long start = meter.start();
        ProgressLog progress = new ProgressLog("Removing expired entries");
        boolean more;
        do {
            long begun = System.nanoTime();
            PurgeResult purged = pipeline.purge(groups, until);
            progress.add(purged.count());
            more = purged.more() && !Thread.currentThread().isInterrupted();
            if (more && engine.info().isShared()) {
                LockSupport.parkNanos(Math.min(System.nanoTime() - begun, MAX_PAUSE_NANOS));
            }
        } while (more);
        long removed = progress.done();
        meter.purged(removed, engine.clock().now(), start);
        mending.run();
        return removed;
    }
}
