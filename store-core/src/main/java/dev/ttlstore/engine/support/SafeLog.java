package dev.ttlstore.engine.support;

import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;

/**
 * Logs exceptions that the work survives. A logger may itself fail, for example if memory or stack is still exhausted,
 * and such a failure must not end the work.
 *
 * @since 0.1
 */
public final class SafeLog {

    private static final AtomicLong MISSED = new AtomicLong();

    private final Logger log;
    private final String message;
    private final boolean ofApplication;

    /**
     * Prepares a warning beforehand, for code that must go on without memory: even a constant text takes some where it is first used.
     *
     * @param log the logger
     * @param message what happened
     */
    public SafeLog(Logger log, String message) {
        this(log, message, false);
    }

    private SafeLog(Logger log, String message, boolean ofApplication) {
        this.log = log;
        this.message = message;
        this.ofApplication = ofApplication;
    }

    /**
     * Prepares a warning about what code of the application throws, whose messages are left out; see {@link Thrown}.
     *
     * @param log the logger
     * @param message what happened
     * @return the warning
     */
    public static SafeLog ofApplication(Logger log, String message) {
        return new SafeLog(log, message, true);
    }

    /**
     * Logs the warning. Throws nothing.
     *
     * @param failure the cause
     */
    public void warn(Throwable failure) {
        try {
            warn(log, message, ofApplication ? Thrown.withoutMessages(failure) : failure);
        } catch (RuntimeException | Error noRoomToSaySo) {
            MISSED.incrementAndGet();
        }
    }

    /**
     * Logs a warning whose text is made where it happens.
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
