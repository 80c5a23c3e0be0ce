package dev.ttlstore;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

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
            // Decoding puts U+FFFD in place of malformed bytes, so text without it was well-formed.
            return text.indexOf('\uFFFD') < 0 ? text : decodeStrictly(bytes);
        }

        private String decodeStrictly(byte[] bytes) {
            try {
                return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            } catch (CharacterCodingException e) {
                throw new CodecException(
                        "A value is not UTF-8 text; read its group with the codec it was written with");
            }
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
            String unused = TEXT.decode(bytes); // which says so if they are no text at all
            return StoredNumbers.decode(bytes);
        }
    };

    private BasicCodecs() {}
}
