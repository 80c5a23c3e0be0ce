package dev.ttlstore;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A store could not do what it was asked to. There is a subclass for each cause that a program may want to tell apart; the
 * message says what to do about it. No message holds a value or the key of an entry.
 */
public class StoreException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what has happened, and the remedy
     */
    public StoreException(String message) {
        this(message, null);
    }

    /**
     * Creates the exception.
     *
     * @param message what has happened, and the remedy
     * @param cause what was behind it; null if nothing was
     */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
