package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

/** The thread that made a backup was interrupted. There is no backup, and the store goes on. */
public final class BackupInterruptedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param target the file that would have been written
     */
    public BackupInterruptedException(Path target) {
        super("The backup to " + target + " was interrupted; nothing of it is left", "Make it again", null);
    }
}
