package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/** A line of a file cannot be imported. The message says which line and why, without anything of the entry. */
public final class ImportLineException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final long line;

    /**
     * Creates the exception.
     *
     * @param file the file
     * @param line the number of the line, from 1
     * @param problem what is wrong with it
     * @param remedy what was written, and what to do
     * @param cause the cause; null if there is none
     */
    public ImportLineException(Path file, long line, String problem, String remedy, @Nullable Throwable cause) {
        super("Line " + line + " of " + file + " cannot be imported: " + problem, remedy, cause);
        this.file = file;
        this.line = line;
    }

    /**
     * Returns the file.
     *
     * @return its absolute path
     */
    public Path file() {
        return file;
    }

    /**
     * Returns which line it is.
     *
     * @return its number, from 1
     */
    public long line() {
        return line;
    }
}
