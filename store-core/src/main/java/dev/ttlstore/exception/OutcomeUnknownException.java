package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The engine failed while it was committing, and cannot tell whether the commit was made. The store does not run the write
 * again, because it may already have been made: read the entries, and decide.
 *
 * @since 0.1
 * @see StoreException
 */
public final class OutcomeUnknownException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem what failed
     * @param cause the failure of the engine
     */
    public OutcomeUnknownException(String problem, Throwable cause) {
        super(problem, "Read the entries to find out whether the write was made, and repeat it if not", cause);
    }
}
