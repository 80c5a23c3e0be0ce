package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * A template could not be rendered.
 *
 * @since 0.1
 * @see StoreException
 */
public final class TemplateException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int line;
    private final @Nullable String variable;

    /**
     * Creates the exception.
     *
     * @param message what is wrong, and the remedy
     * @param line the line of the template, from 1; 0 if unknown
     * @param variable the affected name in the template; null if there is none
     * @param cause the cause; null if there is none
     */
    public TemplateException(String message, int line, @Nullable String variable, @Nullable Throwable cause) {
        super(message, cause);
        this.line = line;
        this.variable = variable;
    }

    /**
     * Returns the line of the template.
     *
     * @return the line, from 1; 0 if unknown
     */
    public int line() {
        return line;
    }

    /**
     * Returns the affected name in the template.
     *
     * @return the name; null if there is none
     */
    public @Nullable String variable() {
        return variable;
    }
}
