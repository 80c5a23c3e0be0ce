package dev.ttlstore.engine;

import java.io.Serial;

/**
 * What a commit was decided by is no longer so: others have changed rows after they were read, or a row has expired. Nothing is committed. The
 * store hands the same batch over again, or runs its transaction again. It never reaches users.
 *
 * @since 0.1
 */
public sealed class ConflictException extends RuntimeException permits OvertakenException {

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
