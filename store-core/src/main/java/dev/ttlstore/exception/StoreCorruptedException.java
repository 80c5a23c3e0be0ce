package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/** The file of the store, or a table of it, is damaged. The call has not returned damaged data. */
public final class StoreCorruptedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem what is damaged
     * @param remedy what to do
     * @param cause what the engine reported; null if it has reported no exception
     */
    public StoreCorruptedException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
    }
}
