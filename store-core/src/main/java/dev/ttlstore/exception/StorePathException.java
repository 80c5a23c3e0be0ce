package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot be at its path: this user may not write there, the folder cannot be created, the disk is read-only
 * or on another machine, or something that is not a file is there.
 *
 * @since 0.1
 * @see StoreException
 */
public final class StorePathException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Path path;

    /**
     * Creates the exception.
     *
     * @param path the file of the store
     * @param problem what is in the way
     * @param remedy what to do
     * @param cause the cause; null if there is none
     */
    public StorePathException(Path path, String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
        this.path = path;
    }

    /**
     * Returns the file of the store.
     *
     * @return its absolute path
     */
    public Path path() {
        return path;
    }
}
