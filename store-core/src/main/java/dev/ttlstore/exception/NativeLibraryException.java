package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

/**
 * The engine's native library could not be unpacked and loaded. Most likely, programs may not run from its folder (it
 * is mounted {@code noexec}), or the folder cannot be written.
 *
 * @since 0.1
 * @see StoreEngineException
 */
public final class NativeLibraryException extends StoreEngineException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Path folder;

    /**
     * Creates the exception.
     *
     * @param folder the folder to unpack the library in
     * @param problem what is wrong
     * @param remedy what to do
     * @param cause what the engine reported
     */
    public NativeLibraryException(Path folder, String problem, String remedy, Throwable cause) {
        super(problem, remedy, cause);
        this.folder = folder;
    }

    /**
     * Returns the folder to unpack the library in.
     *
     * @return the folder
     */
    public Path folder() {
        return folder;
    }
}
