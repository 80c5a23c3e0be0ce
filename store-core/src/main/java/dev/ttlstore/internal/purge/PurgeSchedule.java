package dev.ttlstore.internal.purge;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.internal.base.BackgroundWork;
import dev.ttlstore.internal.base.Deadline;
import dev.ttlstore.internal.base.SafeLog;

/** Purges at an interval, in a thread of the store. */
public final class PurgeSchedule implements BackgroundWork {

    private static final Logger log = LoggerFactory.getLogger(PurgeSchedule.class);

    /** The name of the thread. */
    public static final String NAME = "ttl-store-purge";

    private final RegularPurge purge;
    private final ScheduledExecutorService executor;
    private final ScheduledFuture<?> runs;

    /**
     * Starts purging.
     *
     * @param purge the purge
     * @param interval the pause between two runs, more than zero
     */
    public PurgeSchedule(RegularPurge purge, Duration interval) {
        this.purge = purge;
        this.executor = Executors.newSingleThreadScheduledExecutor(BackgroundThreads.named(NAME));
        long nanos = nanos(interval);
        // Never completes normally, because run() lets no exception out.
        this.runs = executor.scheduleWithFixedDelay(this::run, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Returns whether there will be another run.
     *
     * @return false after an error that could not be handled, and after {@link #stop}
     */
    public boolean isRunning() {
        return !runs.isDone();
    }

    private void run() {
        try {
            purge.run(GroupRange.ALL);
        } catch (RuntimeException | Error e) { // either would end the schedule silently
            if (!executor.isShutdown()) { // otherwise closing the store has ended the purge
                SafeLog.warn(log, "A purge has failed; it is retried after the purge interval", e);
            }
        }
    }

    /** Ends the schedule. A run in progress ends after its current batch. */
    @Override
    public void stop() {
        executor.shutdownNow();
    }

    @Override
    public void awaitStopped(Deadline deadline) {
        boolean unused = deadline.awaitEnd(executor);
    }

    private static long nanos(Duration interval) {
        try {
            return interval.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE; // 292 years, which is long enough
        }
    }
}
