package dev.ttlstore.engine;

/**
 * What a row of a group holds, without what else is known of it.
 *
 * @param key the key within the group
 * @param value the encoded value, which whoever holds it must not change
 */
@SuppressWarnings("ArrayRecordComponent") // as with rows
public record KeyValue(String key, byte[] value) {

    /** Says how much it holds and never what: the key, too, may be a secret. */
    @Override
    public String toString() {
        return "KeyValue[bytes=" + value.length + "]";
    }
}
