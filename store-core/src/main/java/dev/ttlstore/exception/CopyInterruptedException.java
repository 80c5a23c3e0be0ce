package dev.ttlstore.exception;

import java.io.Serial;

/** The thread that copied a store was interrupted. The target stays an unfinished copy, which no store opens. */
public final class CopyInterruptedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param place where the target is
     */
    public CopyInterruptedException(String place) {
        super("The copy to " + place + " was interrupted", "Copy again into the same target, which continues it", null);
    }
}
