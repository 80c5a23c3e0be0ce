package dev.ttlstore.spring.keys;

import java.nio.ByteBuffer;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Encodes texts that come from clients, such as names of users. It uses UTF-8. UTF-8 has no half surrogate pairs, so
 * it writes a text with one as its chars, after a byte that never occurs in UTF-8. Thread-safe.
 *
 * @since 0.1
 * @see TextKeys
 */
public final class AnyText implements Codec<String> {

    private static final byte CHARS = (byte) 0xFF;

    /** Creates the codec. */
    public AnyText() {}

    @Override
    public byte[] encode(String text) {
        if (UTF_8.newEncoder().canEncode(text)) {
            return text.getBytes(UTF_8);
        }
        ByteBuffer buffer = ByteBuffer.allocate(1 + Character.BYTES * text.length());
        buffer.put(CHARS).asCharBuffer().put(text);
        return buffer.array();
    }

    @Override
    public boolean decodesText() {
        return true;
    }

    @Override
    public String decode(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != CHARS) {
            return Codec.text().decode(bytes);
        }
        String text = bytes.length % Character.BYTES == 0
                ? ""
                : ByteBuffer.wrap(bytes, 1, bytes.length - 1).asCharBuffer().toString();
        if (UTF_8.newEncoder().canEncode(text)) {
            throw new CodecException("A value is not a text that a client has sent");
        }
        return text;
    }
}
