package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * What was opened is not a store, or one that a newer version has written, which is a {@link NewerStoreException}. The file
 * has not been changed.
 */
public sealed class StoreFormatException extends StoreException permits NewerStoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Path path;

    /**
     * Creates the exception.
     *
     * @param path the file
     * @param problem what it is instead
     * @param remedy what to do
     * @param cause what was behind it; null if nothing was
     */
    public StoreFormatException(Path path, String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
        this.path = path;
    }

    /**
     * The file that is no store.
     *
     * @return its absolute path
     */
    public final Path path() {
        return path;
    }
}
