package dev.ttlstore.exception;

import java.io.Serial;

/**
 * A file or schema holds a copy of another store that was not finished, so entries may be missing. It was not opened.
 *
 * @since 0.1
 * @see StoreException
 */
public final class UnfinishedCopyException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String place;

    /**
     * Creates the exception.
     *
     * @param place where the copy is
     */
    public UnfinishedCopyException(String place) {
        super(
                place + " holds an unfinished copy of a store; it has not been touched",
                "Copy the store again into the same target, which continues the copy; or remove it and use the store that"
                        + " was to be copied",
                null);
        this.place = place;
    }

    /**
     * Returns where the copy is.
     *
     * @return a description for people, without a password
     */
    public String place() {
        return place;
    }
}
