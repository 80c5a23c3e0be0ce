package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

/**
 * Another process, or another store in this process, owns the file. A file has one owner at a time.
 *
 * @since 0.1
 * @see StoreException
 */
public final class StoreLockedException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Path path;
    private final String holder;
    private final boolean sameProcess;

    /**
     * Creates the exception.
     *
     * @param path the file
     * @param holder the owner, as far as it is known, such as {@code process 4711, since 2026-11-21T08:00:00Z}
     * @param sameProcess whether the owner is another store in this process
     */
    public StoreLockedException(Path path, String holder, boolean sameProcess) {
        super(
                "The store " + path + " is in use by " + holder,
                "A store file belongs to one process at a time: stop the other one, or give this one a file of its own",
                null);
        this.path = path;
        this.holder = holder;
        this.sameProcess = sameProcess;
    }

    /**
     * Returns the file that is in use.
     *
     * @return its absolute path
     */
    public Path path() {
        return path;
    }

    /**
     * Returns the owner of the file.
     *
     * @return a description for people, as far as it is known
     */
    public String holder() {
        return holder;
    }

    /**
     * Returns whether the owner is another store in this process, which was opened before and is not closed.
     *
     * @return false if another process owns the file
     */
    public boolean isSameProcess() {
        return sameProcess;
    }
}
