package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The store could not write in a transaction of the application. Somebody else has changed what the transaction has
 * read, or the database has preferred another transaction. Roll the transaction back and run it again.
 *
 * @since 0.1
 * @see StoreException
 */
public final class TransactionConflictException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem what has happened, without a full stop
     * @param cause the cause
     */
    public TransactionConflictException(String problem, Throwable cause) {
        super(problem, "Run the whole transaction again", cause);
    }
}
