package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.spring.purge.StorePurgeJob;

/**
 * Purges in place of a scheduler that is late, and says when that begins and when it is over. It looks once an interval, in one
 * thread at a time.
 */
final class LatePurge implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(LatePurge.class);

    /** A purge is late when it has not run for so many intervals. */
    private static final int LATE = 2;

    private final StorePurgeJob job;
    private final Duration interval;
    private boolean late;

    /** How often the job had run after the last purge in place of the scheduler. */
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
            log.info("The application's scheduler runs the purge again");
        } else if (late) {
            purge();
        } else if (pause.compareTo(interval.multipliedBy(LATE)) > 0) {
            late = true;
            log.warn(
                    "The application's scheduler has not run the purge for {}, its threads being busy or too few; it runs on"
                            + " a thread of its own until the scheduler does. More threads:"
                            + " 'spring.task.scheduling.pool.size'",
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
