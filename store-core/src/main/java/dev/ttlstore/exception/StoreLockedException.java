package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

/** Another process, or another store in this one, owns the file. A file has one owner at a time. */
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
     * @param holder who holds it, as far as is known, such as {@code process 4711, since 2026-11-21T08:00:00Z}
     * @param sameProcess whether it is another store of this process
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
     * The file that is in use.
     *
     * @return its absolute path
     */
    public Path path() {
        return path;
    }

    /**
     * Who holds the file.
     *
     * @return a description for people, as far as it is known
     */
    public String holder() {
        return holder;
    }

    /**
     * Whether another store of this same process holds the file, one that was opened before and is not closed.
     *
     * @return false if another process does
     */
    public boolean isSameProcess() {
        return sameProcess;
    }
}
