package dev.ttlstore.exception;

import java.io.Serial;

/** There is no room left for the write. It has not been made; the store can be read, and written when there is room. */
public final class StoreFullException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what is full, and the remedy
     * @param cause what the engine said
     */
    public StoreFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
