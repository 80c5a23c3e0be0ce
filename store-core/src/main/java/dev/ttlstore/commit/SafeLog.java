package dev.ttlstore.commit;

import org.slf4j.Logger;

/**
 * Logs what was caught so that work goes on. A logger may itself fail, out of memory or of stack as its caller was before, and
 * must not end the work then.
 */
public final class SafeLog {

    private static volatile long lost;

    private SafeLog() {}

    /**
     * How many warnings could not be logged.
     *
     * @return about as many
     */
    public static long lost() {
        return lost;
    }

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
        } catch (RuntimeException | Error noRoomToSaySo) {
            lost++; // an increment needs neither memory nor stack; two at once may count as one
        }
    }
}
