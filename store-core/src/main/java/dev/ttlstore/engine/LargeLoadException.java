package dev.ttlstore.engine;

import java.io.Serial;

/**
 * The rows of several callers, who share a commit, take too much memory together. The store splits the commit. It never reaches
 * users.
 *
 * @since 0.1
 */
public final class LargeLoadException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates the exception, without a stack trace because it is part of normal work. */
    public LargeLoadException() {
        super("The rows of a commit take too much memory together", null, false, false);
    }
}
