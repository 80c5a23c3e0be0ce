package dev.ttlstore.exception;

import java.io.Serial;

/**
 * A newer version has made the schema of a shared store, with a layout that this version does not know.
 *
 * @since 0.1
 * @see StoreSchemaException
 */
public final class NewerSchemaException extends StoreSchemaException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int layout;
    private final int knownLayout;

    /**
     * Creates the exception.
     *
     * @param schema the name of the schema
     * @param layout the number of the schema's layout
     * @param knownLayout the number of the newest layout that this version knows
     */
    public NewerSchemaException(String schema, int layout, int knownLayout) {
        super(
                schema,
                "The schema \"" + schema + "\" was made by a newer version of TTL Store (its layout is " + layout
                        + ", this one knows " + knownLayout + "); it has not been touched",
                "Use that version",
                null);
        this.layout = layout;
        this.knownLayout = knownLayout;
    }

    /**
     * Returns the number of the schema's layout.
     *
     * @return the number
     */
    public int layout() {
        return layout;
    }

    /**
     * Returns the number of the newest layout that this version knows.
     *
     * @return the number
     */
    public int knownLayout() {
        return knownLayout;
    }
}
