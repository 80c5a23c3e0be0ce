package dev.ttlstore.spring.backup;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;

/**
 * Looks from time to time whether a backup is due, on a thread of its own. So a backup is made soon after the start if the
 * application was away when it was due, and a computer that was asleep misses none.
 */
final class BackupSchedule implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(BackupSchedule.class);

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private static final long MILLIS_TO_END = TimeUnit.SECONDS.toMillis(10);

    private final @Nullable StoreBackupJob job;
    private @Nullable Looks running;

    BackupSchedule(@Nullable StoreBackupJob job) {
        this.job = job;
    }

    /** The looks between a start and a stop. */
    private static final class Looks {

        private final StoreBackupJob job;
        private final long pauseNanos;
        private final RetryLog retries =
                new RetryLog(log, "Whether a backup is due could not be found out; this is retried within a minute");
        private final WorkerThread thread =
                new WorkerThread(BackgroundThreads.named("store-backup"), retries, this::loop);

        private Looks(StoreBackupJob job) {
            this.job = job;
            long pause = Math.min(LONGEST_PAUSE.toMillis(), job.interval().toMillis() / 4);
            this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, pause));
        }

        private void loop() {
            thread.pause(pauseNanos);
            while (!thread.isStopped()) {
                job.runIfDue();
                retries.succeeded("Whether a backup is due can be found out again");
                thread.pause(pauseNanos);
            }
        }
    }

    @Override
    public synchronized void start() {
        StoreBackupJob own = job;
        if (own != null && !own.interval().isZero() && running == null) {
            Looks started = new Looks(own);
            started.thread.start();
            running = started;
        }
    }

    /** Ends a backup that is being made. */
    @Override
    public synchronized void stop() {
        Looks ending = running;
        running = null;
        if (ending != null) {
            ending.thread.stop();
            ending.thread.interrupt();
            ending.thread.end(MILLIS_TO_END);
            if (ending.thread.isRunning()) {
                log.warn("A backup has not ended in time; the store ends it when it closes");
            }
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }
}
