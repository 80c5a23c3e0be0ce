package dev.ttlstore.engine;

/**
 * The key and value of a row.
 *
 * @param key the key within the group
 * @param value the encoded value, which the receiver must not change
 */
@SuppressWarnings("ArrayRecordComponent") // as with rows
public record KeyValue(String key, byte[] value) {

    /** Returns the size only, because both the value and the key may be secrets. */
    @Override
    public String toString() {
        return "KeyValue[bytes=" + value.length + "]";
    }
}
