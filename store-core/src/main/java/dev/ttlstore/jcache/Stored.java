package dev.ttlstore.jcache;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/**
 * What a cache stores under the text of a key.
 *
 * @param key the encoded key, if its text is only a hash; null otherwise
 * @param value the value
 * @param <V> the type of the value
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Stored<V>(byte @Nullable [] key, V value) {

    /** Encodes a value after a byte that says whether a key stands before it. */
    static final class OfCodec<V> implements Codec<Stored<V>> {

        private static final byte VALUE = 0;
        private static final byte KEY_AND_VALUE = 1;

        private final Codec<V> values;

        OfCodec(Codec<V> values) {
            this.values = values;
        }

        @Override
        public byte[] encode(Stored<V> stored) {
            byte[] value = values.encode(stored.value());
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
        public Stored<V> decode(byte[] bytes) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            byte kind = rest.hasRemaining() ? rest.get() : -1;
            if (kind == VALUE) {
                return new Stored<>(null, values.decode(take(rest, rest.remaining())));
            } else if (kind == KEY_AND_VALUE && rest.remaining() >= Integer.BYTES) {
                int length = rest.getInt();
                if (length >= 0 && length <= rest.remaining()) {
                    byte[] key = take(rest, length);
                    return new Stored<>(key, values.decode(take(rest, rest.remaining())));
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
