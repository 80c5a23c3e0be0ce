package dev.ttlstore.exception;

import java.io.Serial;

/**
 * A value of a group with encryption did not open: it was sealed with a key that the cipher does not have, or under another
 * name, was changed in the file, or was stored before its group was encrypted. The entry is as it was.
 */
public final class SealedValueException extends StoreException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String group;

    /**
     * Creates the exception.
     *
     * @param group the full name of the group that the value is in
     */
    public SealedValueException(String group) {
        super(
                "A value of group '" + group
                        + "' does not open: it was sealed with another key or under another name, was"
                        + " changed, or was never sealed",
                "Give the cipher the key that it was sealed with; if the value is older than the encryption of its group,"
                        + " have the cipher let such values through until all are written anew; else restore a backup or"
                        + " delete the entry",
                null);
        this.group = group;
    }

    /**
     * The group that the value is in.
     *
     * @return its full name
     */
    public String group() {
        return group;
    }
}
