package dev.ttlstore.spring.security;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.keys.AnyText;

/** Encodes a list of texts, each with its length before it: -1 for null. */
final class Fields implements Codec<List<@Nullable String>> {

    private final AnyText texts = new AnyText();

    @Override
    public byte[] encode(List<@Nullable String> fields) {
        List<byte[]> encoded = new ArrayList<>();
        int size = 0;
        for (String field : fields) {
            byte[] bytes = field == null ? new byte[0] : texts.encode(field);
            encoded.add(bytes);
            size += Integer.BYTES + bytes.length;
        }
        ByteBuffer buffer = ByteBuffer.allocate(size);
        for (int i = 0; i < encoded.size(); i++) {
            byte[] bytes = encoded.get(i);
            buffer.putInt(fields.get(i) == null ? -1 : bytes.length).put(bytes);
        }
        return buffer.array();
    }

    @Override
    public List<@Nullable String> decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        List<@Nullable String> fields = new ArrayList<>();
        while (buffer.hasRemaining()) {
            fields.add(next(buffer));
        }
        return fields;
    }

    private @Nullable String next(ByteBuffer buffer) {
        try {
            int length = buffer.getInt();
            if (length == -1) {
                return null;
            }
            if (length < 0 || length > buffer.remaining()) {
                throw malformed();
            }
            byte[] field = new byte[length];
            buffer.get(field);
            return texts.decode(field);
        } catch (BufferUnderflowException e) {
            throw malformed();
        }
    }

    static CodecException malformed() {
        return new CodecException("The value is not one that this adapter has written");
    }
}
