package dev.ttlstore;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.StoredNumbers;
import dev.ttlstore.engine.Utf8;
import dev.ttlstore.exception.CodecException;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The built-in codecs, which need no library. */
final class BasicCodecs {

    /** Has no codec for any class. */
    static final CodecFactory NO_OTHERS = new CodecFactory() {
        @Override
        public <V> @Nullable Codec<V> codec(Class<V> type) {
            return null;
        }
    };

    static final Codec<String> TEXT = new Codec<>() {
        @Override
        public byte[] encode(String value) {
            if (Utf8.lengthOf(value) == Utf8.MALFORMED) {
                throw new CodecException("A text with half of a surrogate pair cannot be stored as UTF-8 without loss;"
                        + " store it as bytes, or repair it");
            }
            return value.getBytes(UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            String text = new String(bytes, UTF_8);
            if (text.indexOf('\uFFFD')
                    >= 0) { // which decoding puts in place of malformed bytes; well-formed text may have it
                Utf8.requireText(bytes);
            }
            return text;
        }

        @Override
        public boolean decodesText() {
            return true;
        }
    };

    static final Codec<byte[]> BYTES = new Codec<>() {
        @Override
        public byte[] encode(byte[] value) {
            return value.clone();
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes.clone();
        }
    };

    static final Codec<Long> LONGS = new Codec<>() {
        @Override
        public byte[] encode(Long value) {
            return StoredNumbers.encode(value);
        }

        @Override
        public Long decode(byte[] bytes) {
            return StoredNumbers.decode(bytes);
        }
    };

    private BasicCodecs() {}
}
