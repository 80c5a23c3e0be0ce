package dev.ttlstore.commit;

import org.slf4j.Logger;

/**
 * Logs what was caught so that work goes on. A logger may itself fail, out of memory or of stack as its caller was before, and
 * must not end the work then.
 */
public final class SafeLog {

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
        } catch (RuntimeException | Error e) {
            // There is no room to say so either. Whoever calls this goes on, and fails or succeeds next time.
            failure.addSuppressed(e);
        }
    }
}
