package dev.ttlstore.engine.support;

import java.io.Serial;

/**
 * Says that something was not begun, so that trying it again is no further attempt.
 *
 * @since 0.1
 */
public final class NotAttemptedException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message why it was not begun
     */
    public NotAttemptedException(String message) {
        super(message);
    }
}
