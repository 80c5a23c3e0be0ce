package dev.ttlstore.spring.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.keys.AnyText;

/**
 * Encodes stored sessions. The attributes stay encoded, so that the changes of a request can be merged without reading them. An entry
 * that is no session, or of another version, is no error, because its user can log in again.
 */
final class StoredSessionCodec implements Codec<StoredSession> {

    private static final Logger log = LoggerFactory.getLogger(StoredSessionCodec.class);

    private static final byte VERSION = 1;

    private static final AnyText TEXTS = new AnyText();

    @Override
    public byte[] encode(StoredSession session) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream output = new DataOutputStream(bytes)) {
            output.writeByte(VERSION);
            write(output, TEXTS.encode(session.id()));
            output.writeLong(session.creationTime().toEpochMilli());
            write(output, TEXTS.encode(session.interval().toString()));
            output.writeInt(session.indexes().size());
            for (Map.Entry<String, String> index : session.indexes().entrySet()) {
                write(output, TEXTS.encode(index.getKey()));
                write(output, TEXTS.encode(index.getValue()));
            }
            output.writeInt(session.attributes().size());
            for (Map.Entry<String, byte[]> attribute : session.attributes().entrySet()) {
                write(output, TEXTS.encode(attribute.getKey()));
                write(output, attribute.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never, in memory
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream output, byte[] bytes) throws IOException {
        output.writeInt(bytes.length);
        output.write(bytes);
    }

    @Override
    public StoredSession decode(byte[] bytes) {
        try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (input.readByte() == VERSION) {
                return read(input);
            }
            log.warn("A session of another version of TTL Store cannot be read; it counts as absent");
        } catch (IOException
                | DateTimeException
                | ArithmeticException
                | CodecException e) { // no more than the class: bytes are secrets
            log.warn(
                    "An entry that is no session counts as absent: {}. If sessions were encrypted, 'store.encryption.groups'"
                            + " must still name their group",
                    e.getClass().getName());
        }
        return StoredSession.UNREADABLE;
    }

    private static StoredSession read(DataInputStream input) throws IOException {
        String id = readText(input);
        Instant creationTime = Instant.ofEpochMilli(input.readLong());
        Duration interval = Duration.parse(readText(input));
        Map<String, String> indexes = new LinkedHashMap<>();
        for (int left = input.readInt(); left > 0; left--) {
            indexes.put(readText(input), readText(input));
        }
        Map<String, byte[]> attributes = new LinkedHashMap<>();
        for (int left = input.readInt(); left > 0; left--) {
            attributes.put(readText(input), readBytes(input));
        }
        return new StoredSession(id, creationTime, interval, indexes, attributes);
    }

    private static String readText(DataInputStream input) throws IOException {
        return TEXTS.decode(readBytes(input));
    }

    private static byte[] readBytes(DataInputStream input) throws IOException {
        int length = input.readInt();
        if (length < 0 || length > input.available()) {
            throw new IOException("The bytes end before the session does");
        }
        return input.readNBytes(length);
    }
}
