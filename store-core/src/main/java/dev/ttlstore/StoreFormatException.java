package dev.ttlstore;

import java.io.Serial;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * What was opened is not a store, or one that a newer version has written. The file has not been changed.
 */
public final class StoreFormatException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Path path;

    /**
     * Creates the exception.
     *
     * @param path the file
     * @param message what it is instead, and the remedy
     */
    public StoreFormatException(Path path, String message) {
        this(path, message, null);
    }

    /**
     * Creates the exception.
     *
     * @param path the file
     * @param message what it is instead, and the remedy
     * @param cause what was behind it; null if nothing was
     */
    public StoreFormatException(Path path, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.path = path;
    }

    /**
     * The file that is no store.
     *
     * @return its absolute path
     */
    public Path path() {
        return path;
    }
}
