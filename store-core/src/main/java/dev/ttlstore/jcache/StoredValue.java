package dev.ttlstore.jcache;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/**
 * What a cache stores under the text of a key.
 *
 * @param <V> the type of the value
 */
final class StoredValue<V> {

    private final byte @Nullable [] key;
    private final V value;

    /** Its size, once it was encoded or decoded. */
    private volatile int bytes;

    /**
     * Creates what is to be stored.
     *
     * @param key the encoded key, if its text is only a hash; null otherwise
     * @param value the value
     */
    StoredValue(byte @Nullable [] key, V value) {
        this(key, value, 0);
    }

    private StoredValue(byte @Nullable [] key, V value, int bytes) {
        this.key = key;
        this.value = value;
        this.bytes = bytes;
    }

    byte @Nullable [] key() {
        return key;
    }

    V value() {
        return value;
    }

    /** Returns the size of the value as it is stored. Zero before it was stored. */
    int bytes() {
        return bytes;
    }

    /**
     * Encodes a value after a byte that says whether a key stands before it.
     *
     * @param values encodes the values
     */
    record OfCodec<V>(Codec<V> values) implements Codec<StoredValue<V>> {

        private static final byte VALUE = 0;
        private static final byte KEY_AND_VALUE = 1;

        @Override
        public byte[] encode(StoredValue<V> stored) {
            byte[] value = values.encode(stored.value());
            stored.bytes = value.length;
            byte[] key = stored.key();
            if (key == null) {
                return ByteBuffer.allocate(1 + value.length)
                        .put(VALUE)
                        .put(value)
                        .array();
            }
            return ByteBuffer.allocate(1 + Integer.BYTES + key.length + value.length)
                    .put(KEY_AND_VALUE)
                    .putInt(key.length)
                    .put(key)
                    .put(value)
                    .array();
        }

        @Override
        public StoredValue<V> decode(byte[] bytes) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            byte kind = rest.hasRemaining() ? rest.get() : -1;
            if (kind == VALUE) {
                return new StoredValue<>(null, values.decode(take(rest, rest.remaining())), bytes.length);
            } else if (kind == KEY_AND_VALUE && rest.remaining() >= Integer.BYTES) {
                int length = rest.getInt();
                if (length >= 0 && length <= rest.remaining()) {
                    byte[] key = take(rest, length);
                    return new StoredValue<>(key, values.decode(take(rest, rest.remaining())), bytes.length);
                }
            }
            throw new CodecException("A value was not written by a cache; use the store's groups for other entries");
        }

        private static byte[] take(ByteBuffer buffer, int length) {
            byte[] taken = new byte[length];
            buffer.get(taken);
            return taken;
        }
    }
}
