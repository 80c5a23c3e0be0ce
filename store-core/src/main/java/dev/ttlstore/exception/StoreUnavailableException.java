package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The database of a shared store cannot be reached, or the pool has no free connection. Nothing was written. The store
 * recovers on its own, so you can repeat the call later.
 *
 * @since 0.1
 * @see StoreException
 */
public final class StoreUnavailableException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem what failed
     * @param remedy what to do
     * @param cause the failure of the connection
     */
    public StoreUnavailableException(String problem, String remedy, Throwable cause) {
        super(problem, remedy, cause);
    }
}
