package dev.ttlstore.exception;

import java.io.Serial;

/** The thread that verified or repaired a store was interrupted. Nothing was changed. */
public final class VerificationInterruptedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param work what was interrupted, as the beginning of a sentence
     */
    public VerificationInterruptedException(String work) {
        super(work + " was interrupted; nothing was changed", "Start it again", null);
    }
}
