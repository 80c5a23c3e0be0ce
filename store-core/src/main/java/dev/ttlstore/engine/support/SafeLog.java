package dev.ttlstore.engine.support;

import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;

/**
 * Logs exceptions that the work survives. A logger may itself fail, for example if memory or stack is still exhausted,
 * and such a failure must not end the work.
 */
public final class SafeLog {

    private static final AtomicLong MISSED = new AtomicLong();

    private SafeLog() {}

    /** Loads this class. Whoever first needs it in want of memory could not load it then, and its failure would end the work. */
    public static void prepare() {}

    /**
     * Logs a warning.
     *
     * @param log the logger
     * @param message what happened
     * @param failure the cause
     */
    public static void warn(Logger log, String message, Throwable failure) {
        try {
            log.warn(message, failure);
            sayWhatIsMissing(log);
        } catch (RuntimeException | Error noRoomToSaySo) {
            MISSED.incrementAndGet();
        }
    }

    private static void sayWhatIsMissing(Logger log) {
        long missed = MISSED.getAndSet(0);
        if (missed > 0) {
            log.warn("{} earlier messages could not be logged, because memory or stack was exhausted", missed);
        }
    }
}
