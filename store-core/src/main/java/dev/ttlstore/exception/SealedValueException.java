package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The cipher could not open a value of an encrypted group. The value was sealed with a key that the cipher does not
 * have, or under another name, was changed in the file, or was stored before its group was encrypted. The entry is
 * unchanged.
 *
 * @since 0.1
 * @see StoreException
 */
public final class SealedValueException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String group;

    /**
     * Creates the exception.
     *
     * @param group the full name of the value's group
     */
    public SealedValueException(String group) {
        super(
                "A value of group '" + group
                        + "' cannot be opened: it was sealed with another key or under another name, was"
                        + " changed, or was never sealed",
                "Give the cipher the key that it was sealed with; if the value is older than the encryption of its"
                        + " group, let the cipher accept unsealed values until all are written again; otherwise"
                        + " restore a backup or delete the entry",
                null);
        this.group = group;
    }

    /**
     * Returns the group of the value.
     *
     * @return its full name
     */
    public String group() {
        return group;
    }
}
