package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.internal.base.BackgroundWork;

/** Purges at an interval, in a thread of the store. */
public final class PurgeSchedule implements BackgroundWork {

    private static final Logger log = LoggerFactory.getLogger(PurgeSchedule.class);

    /** The name of the thread. */
    public static final String NAME = "ttl-store-purge";

    /** The longest pause while purges fail again and again, because until the next success the store counts as failing. */
    private static final long FAILING_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final PurgeRun purge;
    private final RetryLog retries = new RetryLog(log, "A purge has failed; it is retried");
    private final long intervalNanos;
    private final WorkerThread thread;

    /**
     * Starts purging, unless the store purges on request only.
     *
     * @param purge the purge
     * @param interval the pause between two runs; zero for none at all
     */
    public PurgeSchedule(PurgeRun purge, Duration interval) {
        this(purge, interval, BackgroundThreads.named(NAME));
    }

    PurgeSchedule(PurgeRun purge, Duration interval, ThreadFactory threads) {
        this.purge = purge;
        this.intervalNanos = TimeUnit.NANOSECONDS.convert(interval); // 292 years at most
        this.thread = new WorkerThread(threads, retries, 0, this::run); // the loop begins with a pause of its own
        if (intervalNanos > 0) {
            thread.start();
        }
    }

    /**
     * Starts the thread again if it is gone, for whatever reason.
     *
     * @return whether it runs now, was stopped, or need not run
     */
    public boolean ensureRunning() {
        return intervalNanos == 0 || thread.ensureRunning();
    }

    /**
     * Tests whether its purges fail again and again.
     *
     * @return whether they do; the log has the reason
     */
    public boolean isFailing() {
        return retries.isFailing();
    }

    private void run() {
        long begun = System.nanoTime();
        while (!thread.isStopped()) {
            long left = pauseNanos(intervalNanos, retries.isFailing()) - (System.nanoTime() - begun);
            if (left > 0) {
                thread.sleep(left);
            } else {
                long unused = purge.run(GroupRange.ALL);
                retries.succeeded("The purge works again");
                begun = System.nanoTime();
            }
        }
    }

    static long pauseNanos(long intervalNanos, boolean failing) {
        return failing ? Math.min(intervalNanos, FAILING_NANOS) : intervalNanos;
    }

    /** Ends the schedule. A run in progress ends after its current batch. */
    @Override
    public void stop() {
        thread.stop();
        thread.interrupt();
    }

    @Override
    public void awaitStopped(Deadline deadline) {
        thread.join(deadline);
    }
}
