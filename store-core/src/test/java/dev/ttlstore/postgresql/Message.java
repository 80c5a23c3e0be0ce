package dev.ttlstore.postgresql;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** A message of PostgreSQL's protocol, as it travels: a type, except in the first message of a client, a length and a body. */
final class Message {

    static final char UNTYPED = 0;

    private final char type;
    private final byte[] bytes;

    private Message(char type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** Reads the next message, or nothing at the end. */
    static @Nullable Message read(DataInputStream in, boolean typed) throws IOException {
        int type = typed ? in.read() : UNTYPED;
        if (type < 0) {
            return null;
        }
        int length;
        try {
            length = in.readInt();
        } catch (EOFException e) {
            return null;
        }
        int start = typed ? 1 : 0;
        ByteBuffer buffer = ByteBuffer.allocate(start + length);
        if (typed) {
            buffer.put((byte) type);
        }
        buffer.putInt(length);
        in.readFully(buffer.array(), buffer.position(), length - Integer.BYTES);
        return new Message((char) type, buffer.array());
    }

    char type() {
        return type;
    }

    int size() {
        return bytes.length;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** Returns what comes first of this message. */
    Message first(int size) {
        return new Message(type, Arrays.copyOf(bytes, size));
    }

    /** Returns the number that says what an untyped message is: a version of the protocol, or a request. */
    int code() {
        return ByteBuffer.wrap(bytes).getInt(Integer.BYTES);
    }

    /** Returns the body, with a character for each byte. */
    String body() {
        int start = type == UNTYPED ? Integer.BYTES : 1 + Integer.BYTES;
        return new String(bytes, start, bytes.length - start, StandardCharsets.ISO_8859_1);
    }

    /** Returns one of the texts that the body begins with, each of which ends with a zero byte. */
    String text(int index) {
        return body().split("\0", index + 2)[index];
    }
}
