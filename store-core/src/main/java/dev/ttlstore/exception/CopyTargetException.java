package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The target of a copy holds something else: entries of its own, or an unfinished copy of another store. Nothing was
 * written.
 *
 * @since 0.1
 * @see StoreException
 */
public final class CopyTargetException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String place;

    /**
     * Creates the exception.
     *
     * @param place where the target is
     * @param problem what it holds
     */
    public CopyTargetException(String place, String problem) {
        super(
                "'target', " + place + ", " + problem + "; it has not been touched",
                "Choose an empty target, or remove its file or schema if nobody needs it",
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
