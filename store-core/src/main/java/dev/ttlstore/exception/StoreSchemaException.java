package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * The schema of a shared store cannot be used: it or some of its tables are missing or would not keep all entries, the
 * role may not use or create them, or a newer version has made them (a {@link NewerSchemaException}). The store has
 * changed nothing.
 *
 * @since 0.1
 * @see StoreException
 */
public sealed class StoreSchemaException extends StoreException permits NewerSchemaException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String schema;

    /**
     * Creates the exception.
     *
     * @param schema the name of the schema
     * @param problem what is wrong with it
     * @param remedy what to do
     * @param cause the cause; null if there is none
     */
    public StoreSchemaException(String schema, String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
        this.schema = schema;
    }

    /**
     * Returns the name of the schema.
     *
     * @return the name
     */
    public final String schema() {
        return schema;
    }
}
