package dev.ttlstore.exception;

import java.io.Serial;

/** The thread of an export or an import was interrupted. What was done so far is kept, and running it again continues. */
public final class TransferInterruptedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param what what was interrupted, such as "The export to entries.jsonl"
     */
    public TransferInterruptedException(String what) {
        super(what + " was interrupted", "Run it again to continue", null);
    }
}
