package dev.ttlstore.spring.purge;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Purges in place of a scheduler that is late, and logs when that begins and ends. Runs once per interval, on one
 * thread at a time.
 */
final class LatePurge implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(LatePurge.class);

    /** The number of intervals after which a purge is late. */
    private static final int LATE = 2;

    private final StorePurgeJob job;
    private final Duration interval;
    private boolean late;

    /** The number of the job's runs after the last purge here. */
    private long runs;

    LatePurge(StorePurgeJob job, Duration interval) {
        this.job = job;
        this.interval = interval;
    }

    @Override
    public void run() {
        Duration pause = job.sinceLastRun();
        if (late && (job.runs() != runs || pause.isZero())) {
            late = false;
            log.info("The application's scheduler runs the purge on time again");
        } else if (late) {
            purge();
        } else if (pause.compareTo(interval.multipliedBy(LATE)) > 0) {
            late = true;
            log.warn(
                    "The application's scheduler has not run the purge for {}, because its threads are busy or too"
                            + " few. The purge runs on a thread of the starter until the scheduler catches up. To add"
                            + " threads, raise 'spring.task.scheduling.pool.size'",
                    pause);
            purge();
        }
    }

    private void purge() {
        try {
            job.purge();
        } finally {
            runs = job.runs();
        }
    }
}
