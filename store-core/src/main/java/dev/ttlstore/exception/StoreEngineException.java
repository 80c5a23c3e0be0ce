package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * The engine cannot run here: it is missing, its native library cannot be loaded (a {@link NativeLibraryException}),
 * its version is not safe (an {@link EngineVersionException}), or it is given a database of another kind (an {@link
 * OtherDatabaseException}).
 *
 * @since 0.1
 * @see StoreException
 */
public sealed class StoreEngineException extends StoreException
        permits NativeLibraryException, EngineVersionException, OtherDatabaseException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem what is wrong
     * @param remedy what to do
     * @param cause the cause; null if there is none
     */
    public StoreEngineException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
    }
}
