package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/** A template could not be rendered. */
public final class TemplateException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int line;
    private final @Nullable String variable;

    /**
     * Creates the exception.
     *
     * @param message what is wrong, and the remedy
     * @param line the line of the template, from 1; 0 if it is not known
     * @param variable the name in the template that it is about; null if it is about none
     * @param cause what was behind it; null if nothing was
     */
    public TemplateException(String message, int line, @Nullable String variable, @Nullable Throwable cause) {
        super(message, cause);
        this.line = line;
        this.variable = variable;
    }

    /**
     * The line of the template.
     *
     * @return the line, from 1; 0 if it is not known
     */
    public int line() {
        return line;
    }

    /**
     * The name in the template that the failure is about.
     *
     * @return the name; null if it is about none
     */
    public @Nullable String variable() {
        return variable;
    }
}
