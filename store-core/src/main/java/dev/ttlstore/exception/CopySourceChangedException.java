package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The source of a copy changed while it was copied. The target stays an unfinished copy, which no store opens.
 *
 * @since 0.1
 * @see StoreException
 */
public final class CopySourceChangedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String place;

    /**
     * Creates the exception.
     *
     * @param place where the source is
     */
    public CopySourceChangedException(String place) {
        super(
                "The source of the copy, " + place
                        + ", was written to while it was copied, so the copy is not finished",
                "Stop all instances of the application, and copy again into the same target. That brings it to the state of"
                        + " the source",
                null);
        this.place = place;
    }

    /**
     * Returns where the source is.
     *
     * @return a description for people, without a password
     */
    public String place() {
        return place;
    }
}
