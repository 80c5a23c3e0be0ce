package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The thread of a backup, a copy, an export, an import, a verification or a repair was interrupted. Its interrupt
 * status stays set. The message says what is left of the work and how to continue. The store stays open.
 *
 * @since 0.1
 * @see StoreException
 */
public final class StoreInterruptedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem what was interrupted, and what is left of it, without a full stop
     * @param remedy how to go on, without a full stop
     */
    public StoreInterruptedException(String problem, String remedy) {
        super(problem, remedy, null);
    }
}
