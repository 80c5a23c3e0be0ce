package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The target of a copy differs from its source. The target stays an unfinished copy.
 *
 * @since 0.1
 * @see StoreException
 */
public final class CopyMismatchException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String place;

    /**
     * Creates the exception.
     *
     * @param place where the target is
     * @param difference what differs, by counts and checksums
     */
    public CopyMismatchException(String place, String difference) {
        super(
                "The copy in " + place + " differs from its source: " + difference,
                "Make sure that nobody else writes to the target, and copy again into it. That corrects it",
                null);
        this.place = place;
    }

    /**
     * Returns where the target is.
     *
     * @return a description for people, without a password
     */
    public String place() {
        return place;
    }
}
