package dev.ttlstore.internal.base;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells in the log how far long work has come, every few seconds. Used by one thread. */
public final class Progress {

    private static final Logger log = LoggerFactory.getLogger(Progress.class);

    private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

    private final String what;
    private final LongSupplier nanoTime;
    private long done;
    private long lastTold;

    /**
     * Begins some work.
     *
     * @param what what it does, as in "Removing expired entries"
     */
    public Progress(String what) {
        this(what, System::nanoTime);
    }

    Progress(String what, LongSupplier nanoTime) {
        this.what = what;
        this.nanoTime = nanoTime;
        this.lastTold = nanoTime.getAsLong();
    }

    /**
     * Some more is done.
     *
     * @param entries how many entries
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
     * What is done.
     *
     * @return how many entries
     */
    public long done() {
        return done;
    }
}
