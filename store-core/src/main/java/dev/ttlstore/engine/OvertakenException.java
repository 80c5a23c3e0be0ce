package dev.ttlstore.engine;

import java.io.Serial;

/**
 * An entry that a commit keeps alive has expired since the commit was decided, and others may have seen that. Nobody else has changed it,
 * so an engine need not lock more than before.
 *
 * @since 0.1
 */
public final class OvertakenException extends ConflictException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the exception, without a stack trace because it is part of normal work. */
    public OvertakenException() {
        super("An entry has expired since the commit was decided");
    }
}
