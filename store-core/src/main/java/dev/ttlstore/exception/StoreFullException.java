package dev.ttlstore.exception;

import java.io.Serial;

/**
 * There is no room left for the write. Nothing was written. The store can still be read, and written again when there
 * is room.
 *
 * @since 0.1
 * @see StoreException
 */
public final class StoreFullException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what is full, and the remedy
     * @param cause what the engine reported
     */
    public StoreFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
