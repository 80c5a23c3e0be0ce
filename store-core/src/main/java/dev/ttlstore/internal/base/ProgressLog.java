package dev.ttlstore.internal.base;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the progress of long work every few seconds. Used by one thread. */
public final class ProgressLog {

    private static final Logger log = LoggerFactory.getLogger(ProgressLog.class);

    private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

    private final String what;
    private final LongSupplier nanoTime;
    private long done;
    private long lastTold;

    /**
     * Starts to measure some work.
     *
     * @param what the work, as in "Removing expired entries"
     */
    public ProgressLog(String what) {
        this(what, System::nanoTime);
    }

    ProgressLog(String what, LongSupplier nanoTime) {
        this.what = what;
        this.nanoTime = nanoTime;
        this.lastTold = nanoTime.getAsLong();
    }

    /**
     * Adds finished work.
     *
     * @param entries the number of entries
     */
    public void add(long entries) {
        done += entries;
        long now = nanoTime.getAsLong();
        if (now - lastTold > INTERVAL_NANOS) {
            lastTold = now;
            log.info("{}: {} so far", what, done);
        }
    }

    /**
     * Returns how much is finished.
     *
     * @return the number of entries
     */
    public long done() {
        return done;
    }
}
