package dev.ttlstore;

import dev.ttlstore.exception.CodecException;

/**
 * Encodes values to bytes, and decodes the bytes to equal values. It rejects bytes that it cannot have encoded. A codec
 * must be thread-safe.
 *
 * <pre>{@code
 * Codec<UUID> uuids = new Codec<>() {
 *     public byte[] encode(UUID value) {
 *         return value.toString().getBytes(StandardCharsets.US_ASCII);
 *     }
 *
 *     public UUID decode(byte[] bytes) {
 *         return UUID.fromString(new String(bytes, StandardCharsets.US_ASCII));
 *     }
 * };
 * Group<UUID> devices = store.group("devices", uuids);
 * }</pre>
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see CodecFactory
 * @see Keyspace#group(String,Codec)
 * @see ValueCipher
 */
public interface Codec<V> {

    /**
     * Encodes a value.
     *
     * @param value the value, never null
     * @return the bytes, possibly none; the store copies them, so the codec may reuse the array
     * @throws CodecException if the value cannot be encoded; the message must not contain the value
     */
    byte[] encode(V value);

    /**
     * Decodes a value.
     *
     * @param bytes what {@link #encode} once returned, possibly in an earlier version of the program; the array is a
     *     copy, which the codec may keep or change
     * @return the value, never null
     * @throws CodecException if the bytes are not an encoded value; the message must not contain the value
     */
    V decode(byte[] bytes);

    /**
     * {@return whether {@link #decode} accepts every text in UTF-8} The database then decides writes that return a value,
     * such as {@link Group#take}, in one round trip.
     */
    default boolean decodesText() {
        return false;
    }

    /**
     * Returns the codec for strings, as UTF-8. It rejects text that UTF-8 cannot encode (lone surrogates), and never
     * changes a text.
     *
     * @return the codec
     */
    static Codec<String> text() {
        return BasicCodecs.TEXT;
    }

    /**
     * Returns the codec for bytes, which it copies on the way in and out.
     *
     * @return the codec
     */
    static Codec<byte[]> bytes() {
        return BasicCodecs.BYTES;
    }

    /**
     * Returns the codec for whole numbers, as decimal text, so that a number can also be read as text.
     *
     * @return the codec
     */
    static Codec<Long> longs() {
        return BasicCodecs.LONGS;
    }
}
