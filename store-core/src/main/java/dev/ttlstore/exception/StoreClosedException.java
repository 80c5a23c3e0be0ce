package dev.ttlstore.exception;

import java.io.Serial;

/** The store has been closed. Open a new one; a store is not meant to be closed while others still use it. */
public final class StoreClosedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public StoreClosedException() {
        super("The store has been closed; close it only after everything that uses it has stopped");
    }
}
