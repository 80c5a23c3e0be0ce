package dev.ttlstore.exception;

import java.io.Serial;
import java.nio.file.Path;

/**
 * A newer version has written the store, with a layout that this version does not know. The file has not been changed.
 *
 * @since 0.1
 * @see StoreFormatException
 */
public final class NewerStoreException extends StoreFormatException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int layout;
    private final int knownLayout;

    /**
     * Creates the exception.
     *
     * @param path the file
     * @param layout the number of the file's layout
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
     * Returns the number of the file's layout.
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
