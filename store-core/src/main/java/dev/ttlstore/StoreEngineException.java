package dev.ttlstore;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/** The engine cannot run here at all: it is missing, its native library cannot be loaded, or its version is not safe. */
public final class StoreEngineException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what is wrong, and the remedy
     * @param cause what was behind it; null if nothing was
     */
    public StoreEngineException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
