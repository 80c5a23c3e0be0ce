package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * A store cannot be kept where it was meant to be: this user may not write there, the folder cannot be made, the disk is
 * read-only or on another machine, or something that is no file is there.
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
     * @param cause what was behind it; null if nothing was
     */
    public StorePathException(Path path, String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
        this.path = path;
    }

    /**
     * Where the store was meant to be.
     *
     * @return its absolute path
     */
    public Path path() {
        return path;
    }
}
