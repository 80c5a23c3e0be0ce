package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.internal.base.BackgroundWork;
import dev.ttlstore.internal.base.Deadline;

/**
 * Purges at an interval, in a thread of the store. Its loop needs no memory, so it survives a full heap, on which the thread of a
 * scheduler dies.
 */
public final class PurgeSchedule implements BackgroundWork {

    private static final Logger log = LoggerFactory.getLogger(PurgeSchedule.class);

    /** The name of the thread. */
    public static final String NAME = "ttl-store-purge";

    private final RegularPurge purge;
    private final RetryLog retries = new RetryLog(log, "A purge has failed; it is retried after the purge interval");
    private final long intervalNanos;
    private final ThreadFactory threads;
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;

    /**
     * Starts purging.
     *
     * @param purge the purge
     * @param interval the pause between two runs, more than zero
     */
    public PurgeSchedule(RegularPurge purge, Duration interval) {
        this(purge, interval, BackgroundThreads.named(NAME));
    }

    PurgeSchedule(RegularPurge purge, Duration interval, ThreadFactory threads) {
        this.purge = purge;
        this.intervalNanos = nanos(interval);
        this.threads = threads;
        start();
    }

    private synchronized void start() {
        if (!isAlive() && !stopped) {
            Thread started = threads.newThread(this::run);
            started.start();
            thread = started;
        }
    }

    private boolean isAlive() {
        Thread running = thread;
        return running != null && running.isAlive();
    }

    /**
     * Starts the thread again if it is gone, for whatever reason.
     *
     * @return whether it runs now, or was stopped
     */
    public boolean ensureRunning() {
        try {
            start();
        } catch (Error e) {
            SafeLog.warn(log, "No thread could be created to purge", e);
        }
        return stopped || isAlive();
    }

    private void run() {
        long begun = System.nanoTime();
        while (!stopped) {
            long left = intervalNanos - (System.nanoTime() - begun);
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                boolean unused = Thread.interrupted(); // a listener may have left it set; stop() is seen anyway
            } else {
                purge();
                begun = System.nanoTime();
            }
        }
    }

    private void purge() {
        try {
            long unused = purge.run(GroupRange.ALL);
            retries.succeeded("The purge works again");
        } catch (RuntimeException | Error e) { // either would end the schedule silently
            if (!stopped) { // otherwise closing the store has ended the purge
                retries.failed(e);
            }
        }
    }

    /** Ends the schedule. A run in progress ends after its current batch. */
    @Override
    public synchronized void stop() {
        stopped = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    @Override
    public void awaitStopped(Deadline deadline) {
        Thread running = thread;
        if (running != null && running != Thread.currentThread()) {
            deadline.await(running::join);
        }
    }

    private static long nanos(Duration interval) {
        try {
            return interval.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE; // 292 years, which is long enough
        }
    }
}
