package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

/**
 * The engine's native library could not be unpacked and loaded, most likely because the folder for it does not allow
 * programs (it is mounted {@code noexec}) or cannot be written.
 */
public final class NativeLibraryException extends StoreEngineException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Path folder;

    /**
     * Creates the exception.
     *
     * @param folder where the library was to be unpacked
     * @param problem what is wrong
     * @param remedy what to do
     * @param cause what the engine said
     */
    public NativeLibraryException(Path folder, String problem, String remedy, Throwable cause) {
        super(problem, remedy, cause);
        this.folder = folder;
    }

    /**
     * Where the library was to be unpacked.
     *
     * @return the folder
     */
    public Path folder() {
        return folder;
    }
}
