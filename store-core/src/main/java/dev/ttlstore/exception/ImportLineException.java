package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A line of a file or stream cannot be imported. The message says which line and why, without anything of the entry.
 *
 * @since 0.1
 * @see StoreException
 */
public final class ImportLineException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String source;
    private final long line;

    /**
     * Creates the exception.
     *
     * @param source the path of the file, or a name of another origin of the line
     * @param line the number of the line, from 1
     * @param problem what is wrong with it
     * @param remedy what was written, and what to do
     * @param cause the cause; null if there is none
     */
    public ImportLineException(String source, long line, String problem, String remedy, @Nullable Throwable cause) {
        super("Line " + line + " of " + source + " cannot be imported: " + problem, remedy, cause);
        this.source = source;
        this.line = line;
    }

    /**
     * Returns the origin of the line.
     *
     * @return the absolute path of the file; {@code the stream} if it is of a stream
     */
    public String source() {
        return source;
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
