package dev.ttlstore.engine;

import dev.ttlstore.exception.StoreCorruptedException;

/**
 * The key and value of a row.
 *
 * @param key the key within the group
 * @param value the encoded value, which the receiver must not change
 * @param damaged whether the engine has noticed that the value is not the one that was written
 * @since 0.1
 */
@SuppressWarnings("ArrayRecordComponent") // as with rows
public record KeyValue(String key, byte[] value, boolean damaged) {

    /**
     * Creates the key and value of a row whose value is as it was written.
     *
     * @param key the key within the group
     * @param value the encoded value
     */
    public KeyValue(String key, byte[] value) {
        this(key, value, false);
    }

    /**
     * Returns the value.
     *
     * @return the encoded value
     * @throws StoreCorruptedException if it is damaged
     */
    @Override
    public byte[] value() {
        if (damaged) {
            throw StoreCorruptedException.ofValue("of a group");
        }
        return value;
    }

    /**
     * Returns the bytes of the value as they are stored, also if they are damaged.
     *
     * @return the bytes
     */
    public byte[] storedValue() {
        return value;
    }

    /** Returns the size only, because both the value and the key may be secrets. */
    @Override
    public String toString() {
        return "KeyValue[bytes=" + value.length + "]";
    }
}
