package dev.ttlstore.spring.messagestore;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.keys.AnyText;

/** Encodes heads of groups: a version, the numbers, the texts, and an id that is no text by the codec of messages. Thread-safe. */
final class GroupHeadCodec implements Codec<GroupHead> {

    private static final int VERSION = 1;

    private static final int NONE = -1;

    private final AnyText texts = new AnyText();
    private final Codec<Object> ids;

    GroupHeadCodec(Codec<Object> ids) {
        this.ids = ids;
    }

    @Override
    public byte[] encode(GroupHead head) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(160);
        try (DataOutputStream output = new DataOutputStream(bytes)) {
            output.writeByte(VERSION);
            output.writeUTF(head.token());
            output.writeLong(head.created());
            output.writeLong(head.modified());
            output.writeLong(head.range().first());
            output.writeLong(head.range().next());
            output.writeLong(head.range().size());
            output.writeInt(head.range().largest());
            output.writeBoolean(head.complete());
            output.writeInt(head.lastReleased());
            write(output, head.condition() == null ? null : texts.encode(head.condition()));
            boolean isText = head.id() instanceof String;
            output.writeBoolean(isText);
            write(output, isText ? texts.encode((String) head.id()) : ids.encode(head.id()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream output, byte @Nullable [] bytes) throws IOException {
        output.writeInt(bytes == null ? NONE : bytes.length);
        if (bytes != null) {
            output.write(bytes);
        }
    }

    @Override
    public GroupHead decode(byte[] bytes) {
        try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (input.readByte() != VERSION) {
                throw invalid();
            }
            String token = input.readUTF();
            long created = input.readLong();
            long modified = input.readLong();
            MessageRange range =
                    new MessageRange(input.readLong(), input.readLong(), input.readLong(), input.readInt());
            boolean complete = input.readBoolean();
            int lastReleased = input.readInt();
            byte[] condition = read(input);
            boolean isText = input.readBoolean();
            byte[] id = read(input);
            if (id == null || input.available() > 0) {
                throw invalid();
            }
            return new GroupHead(
                    isText ? texts.decode(id) : ids.decode(id),
                    token,
                    created,
                    modified,
                    range,
                    complete,
                    lastReleased,
                    condition == null ? null : texts.decode(condition));
        } catch (IOException e) { // too short
            throw invalid();
        }
    }

    private static byte @Nullable [] read(DataInputStream input) throws IOException {
        int length = input.readInt();
        if (length > input.available() || length < NONE) {
            throw invalid();
        }
        return length == NONE ? null : input.readNBytes(length);
    }

    private static CodecException invalid() {
        return new CodecException("A value is not the state of a group of messages");
    }
}
