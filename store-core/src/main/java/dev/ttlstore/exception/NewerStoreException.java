package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

/** The store was written by a newer version, whose layout this one does not know. The file has not been changed. */
public final class NewerStoreException extends StoreFormatException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int layout;
    private final int knownLayout;

    /**
     * Creates the exception.
     *
     * @param path the file
     * @param layout the number of the layout that it has
     * @param knownLayout the number of the newest layout that this version knows
     */
    public NewerStoreException(Path path, int layout, int knownLayout) {
        super(
                path,
                "The store " + path + " was written by a newer version of TTL Store (its layout is " + layout
                        + ", this one knows " + knownLayout + "); it has not been touched",
                "Use that version, or a backup",
                null);
        this.layout = layout;
        this.knownLayout = knownLayout;
    }

    /**
     * The layout of the file.
     *
     * @return its number
     */
    public int layout() {
        return layout;
    }

    /**
     * The newest layout that this version knows.
     *
     * @return its number
     */
    public int knownLayout() {
        return knownLayout;
    }
}
