package dev.ttlstore.internal.base;

import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;

/**
 * Logs what was caught so that work goes on. A logger may itself fail, out of memory or of stack as its caller was before, and
 * must not end the work then.
 */
public final class SafeLog {

    private static final AtomicLong MISSED = new AtomicLong();

    private SafeLog() {}

    /**
     * Logs a warning.
     *
     * @param log where to
     * @param message what has happened
     * @param failure why
     */
    public static void warn(Logger log, String message, Throwable failure) {
        try {
            log.warn(message, failure);
            long missed = MISSED.getAndSet(0);
            if (missed > 0) {
                log.warn("Before that {} warnings could not be logged, for want of memory or of stack", missed);
            }
        } catch (RuntimeException | Error noRoomToSaySo) {
            MISSED.incrementAndGet();
        }
    }
}
