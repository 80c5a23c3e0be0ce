package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The store has been closed. Close a store only after everything that uses it has stopped; to go on, open a new one.
 *
 * @since 0.1
 * @see StoreException
 */
public final class StoreClosedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public StoreClosedException() {
        super("The store has been closed; close it only after everything that uses it has stopped");
    }
}
