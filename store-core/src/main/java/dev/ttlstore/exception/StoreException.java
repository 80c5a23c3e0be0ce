package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * The store could not do what the caller asked for. Each cause that a program may want to handle has a subclass. The
 * message says what to do, in one line. No message contains a value or the key of an entry.
 *
 * @since 0.1
 * @see dev.ttlstore.Store
 */
public class StoreException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final @Nullable String remedy;

    /**
     * Creates the exception.
     *
     * @param message what happened, and the remedy
     */
    public StoreException(String message) {
        this(message, null);
    }

    /**
     * Creates the exception.
     *
     * @param message what happened, and the remedy
     * @param cause the cause; null if there is none
     */
    public StoreException(String message, @Nullable Throwable cause) {
        this(message, null, cause);
    }

    /**
     * Creates the exception, with a message of two sentences.
     *
     * @param problem what happened, without a full stop
     * @param remedy what to do, without a full stop; null if the problem includes it
     * @param cause the cause; null if there is none
     */
    public StoreException(String problem, @Nullable String remedy, @Nullable Throwable cause) {
        super(Printable.of(remedy == null ? problem : problem + ". " + remedy), cause);
        this.problem = Printable.of(problem);
        this.remedy = remedy == null ? null : Printable.of(remedy);
    }

    /**
     * Returns what happened, for programs that show it apart from the remedy.
     *
     * @return the first part of the message, or all of it if there is no {@link #remedy()}
     */
    public final String problem() {
        return problem;
    }

    /**
     * Returns what to do.
     *
     * @return the second part of the message; null if the problem includes it
     */
    public final @Nullable String remedy() {
        return remedy;
    }
}
