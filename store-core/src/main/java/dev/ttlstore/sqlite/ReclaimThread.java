package dev.ttlstore.sqlite;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.BackgroundThreads;

/** The thread that gives room back. It starts when there may be something to do, and ends afterwards. */
final class ReclaimThread implements Reclaimer.Alarm {

    private static final Logger log = LoggerFactory.getLogger(ReclaimThread.class);

    private final ScheduledThreadPoolExecutor executor =
            new ScheduledThreadPoolExecutor(1, BackgroundThreads.named("ttl-store-reclaim"));

    ReclaimThread() {
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void set(Runnable work, long nanos) {
        try {
            Future<?> unused = executor.schedule(work, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.trace("The store is closing", e);
        }
    }

    @Override
    public void close() {
        OwnThread.end(executor);
    }
}
