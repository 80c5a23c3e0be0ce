package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.spring.backup.StoreBackupJob;

/**
 * Looks from time to time whether a backup is due, on a thread of its own. So a backup is made soon after the start if the
 * application was away when it was due, and a computer that was asleep misses none.
 */
final class BackupSchedule implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(BackupSchedule.class);

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private static final int SECONDS_TO_END = 10;

    private final @Nullable StoreBackupJob job;
    private final RetryLog retries = new RetryLog(log);
    private @Nullable ScheduledExecutorService executor;

    BackupSchedule(@Nullable StoreBackupJob job) {
        this.job = job;
    }

    @Override
    public synchronized void start() {
        StoreBackupJob own = job;
        if (own == null || own.interval().isZero() || executor != null) {
            return;
        }
        long pause =
                Math.max(1, Math.min(LONGEST_PAUSE.toMillis(), own.interval().toMillis() / 4));
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "store-backup");
            thread.setDaemon(true);
            return thread;
        });
        Future<?> unused = started.scheduleWithFixedDelay(() -> run(own), pause, pause, TimeUnit.MILLISECONDS);
        executor = started;
    }

    private void run(StoreBackupJob job) {
        try {
            job.runIfDue();
            retries.succeeded("Whether a backup is due can be found out again");
        } catch (RuntimeException | Error e) { // or the executor would never run it again
            retries.failed("Whether a backup is due could not be found out; this is retried within a minute", e);
        }
    }

    /** Ends a backup that is being made. */
    @Override
    public synchronized void stop() {
        ScheduledExecutorService ending = executor;
        executor = null;
        if (ending != null) {
            ending.shutdownNow();
            try {
                if (!ending.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS)) {
                    log.warn("A backup has not ended in time; the store ends it when it closes");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return executor != null;
    }
}
