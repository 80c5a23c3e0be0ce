package dev.ttlstore;

import dev.ttlstore.exception.CodecException;

/**
 * Turns values into the bytes that a store keeps, and back. A codec is used by many threads at once.
 *
 * @param <V> the type of the values
 */
public interface Codec<V> {

    /**
     * Turns a value into bytes.
     *
     * @param value the value, never null
     * @return its bytes, possibly none; the store copies them, so the array may be used again
     * @throws CodecException if the value cannot be encoded; no message may hold the value
     */
    byte[] encode(V value);

    /**
     * Turns bytes into a value.
     *
     * @param bytes what {@link #encode} once returned, perhaps in an earlier version of the program; the array is a
     *     copy, to be kept or changed at will
     * @return the value, never null
     * @throws CodecException if the bytes are no such value; no message may hold the value
     */
    V decode(byte[] bytes);

    /**
     * Strings, as UTF-8. Text that UTF-8 cannot hold (lone surrogates) is refused rather than changed.
     *
     * @return the codec
     */
    static Codec<String> text() {
        return BasicCodecs.TEXT;
    }

    /**
     * Bytes as they are, copied on the way in and out.
     *
     * @return the codec
     */
    static Codec<byte[]> bytes() {
        return BasicCodecs.BYTES;
    }

    /**
     * Whole numbers, as decimal text, so that a number can be read as text as well.
     *
     * @return the codec
     */
    static Codec<Long> longs() {
        return BasicCodecs.LONGS;
    }
}
