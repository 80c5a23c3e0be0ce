package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A store could not do what it was asked to. There is a subclass for each cause that a program may want to tell apart; the
 * message says what to do about it. No message holds a value or the key of an entry.
 */
public class StoreException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final @Nullable String remedy;

    /**
     * Creates the exception.
     *
     * @param message what has happened, and the remedy
     */
    public StoreException(String message) {
        this(message, null);
    }

    /**
     * Creates the exception.
     *
     * @param message what has happened, and the remedy
     * @param cause what was behind it; null if nothing was
     */
    public StoreException(String message, @Nullable Throwable cause) {
        this(message, null, cause);
    }

    /**
     * Creates the exception, with a message of two sentences.
     *
     * @param problem what has happened, without a full stop
     * @param remedy what to do about it, without a full stop; null if the problem says so itself
     * @param cause what was behind it; null if nothing was
     */
    public StoreException(String problem, @Nullable String remedy, @Nullable Throwable cause) {
        super(remedy == null ? problem : problem + ". " + remedy, cause);
        this.problem = problem;
        this.remedy = remedy;
    }

    /**
     * What has happened, for those who show it apart from the remedy.
     *
     * @return the first part of the message, or all of it when there is no {@link #remedy()}
     */
    public final String problem() {
        return problem;
    }

    /**
     * What to do about it.
     *
     * @return the second part of the message; null if the problem says so itself
     */
    public final @Nullable String remedy() {
        return remedy;
    }
}
