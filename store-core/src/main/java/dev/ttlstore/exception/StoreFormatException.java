package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * The file is not a store, or was written by a newer version (a {@link NewerStoreException}). It has not been changed.
 *
 * @since 0.1
 * @see StoreException
 */
public sealed class StoreFormatException extends StoreException permits NewerStoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Path path;

    /**
     * Creates the exception.
     *
     * @param path the file
     * @param problem what the file is instead
     * @param remedy what to do
     * @param cause the cause; null if there is none
     */
    public StoreFormatException(Path path, String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
        this.path = path;
    }

    /**
     * Returns the file.
     *
     * @return its absolute path
     */
    public final Path path() {
        return path;
    }
}
