package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * The file of the store, or a table of it, is damaged. The call has not returned damaged data.
 *
 * @since 0.1
 * @see StoreException
 */
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

    /**
     * Creates the exception for a value that differs from the written one. It does not name the key, because keys may be secrets.
     *
     * @param where where the value is, such as "in the group 'invites'"
     * @return the exception
     */
    public static StoreCorruptedException ofValue(String where) {
        return new StoreCorruptedException(
                "A value " + where + " is damaged: it does not match its checksum, and is not returned",
                "Verify the store, which names the entry; then put or delete it, repair the file, or restore a backup",
                null);
    }
}
