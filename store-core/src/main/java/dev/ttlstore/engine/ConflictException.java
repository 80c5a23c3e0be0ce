package dev.ttlstore.engine;

import java.io.Serial;

/**
 * Another owner of the same data has changed rows after a transaction had read them. Thrown by {@link Engine#write}, which has
 * rolled the transaction back; the store loads the rows again and decides again. It never reaches users.
 */
public final class ConflictException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception, without a stack trace because it is part of normal work.
     *
     * @param message what has changed, without keys and values
     */
    public ConflictException(String message) {
        super(message, null, false, false);
    }
}
