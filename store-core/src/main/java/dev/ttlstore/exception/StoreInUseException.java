package dev.ttlstore.exception;

import java.io.Serial;

/**
 * Other instances use a shared store, so it cannot be copied, and nothing can be copied into it.
 *
 * @since 0.1
 * @see StoreException
 */
public final class StoreInUseException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String place;

    /**
     * Creates the exception.
     *
     * @param place where the store is
     * @param problem who uses it
     */
    public StoreInUseException(String place, String problem) {
        super(
                "The store in " + place + " is in use: " + problem,
                "Stop all instances of the application, and copy again. An instance that was killed counts for 30 seconds",
                null);
        this.place = place;
    }

    /**
     * Returns where the store is.
     *
     * @return a description for people, without a password
     */
    public String place() {
        return place;
    }
}
