package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The requested feature needs a library that is not on the class path.
 *
 * @since 0.1
 * @see StoreException
 */
public final class MissingLibraryException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String library;

    /**
     * Creates the exception.
     *
     * @param library the library, as {@code group:artifact}
     * @param problem what needs the library
     * @param remedy what to do
     * @param cause what could not be found
     */
    public MissingLibraryException(String library, String problem, String remedy, Throwable cause) {
        super(problem, remedy, cause);
        this.library = library;
    }

    /**
     * Returns the missing library.
     *
     * @return its name, as {@code group:artifact}
     */
    public String library() {
        return library;
    }
}
