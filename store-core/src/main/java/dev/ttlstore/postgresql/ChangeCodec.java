package dev.ttlstore.postgresql;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.LoggedChange;
import dev.ttlstore.engine.LoggedChange.Kind;

/** Converts the changes of a commit to the bytes of a log row, and back. */
final class ChangeCodec {

    /** The form of the bytes. A reader that does not know it reports a gap. */
    private static final int FORM = 1;

    /** The kinds by their numbers in the log, which never change. */
    private static final List<Kind> KINDS =
            List.of(Kind.CREATED, Kind.REPLACED, Kind.DELETED, Kind.EXPIRED, Kind.GROUP_DELETED, Kind.SHORTENED);

    /** Where the kind of the first change is. */
    static final int FIRST_KIND = 1 + Integer.BYTES;

    /** The number of {@link Kind#REPLACED}; the one before it is {@link Kind#CREATED}. */
    static final int REPLACED = KINDS.indexOf(Kind.REPLACED);

    private ChangeCodec() {}

    static byte[] encode(List<LoggedChange> changes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.writeInt(changes.size());
            for (LoggedChange change : changes) {
                out.writeByte(KINDS.indexOf(change.kind()));
                out.writeLong(change.sequence());
                out.writeLong(change.timestamp());
                out.writeUTF(change.group());
                out.writeUTF(change.key());
                out.writeLong(change.version());
                out.writeLong(change.expiresAt());
                out.writeLong(change.entries());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // does not happen in memory
        }
        return bytes.toByteArray();
    }

    /** Returns where the version is in the bytes of a single change, which have some length. */
    static int placeOfOnlyVersion(int length) {
        return length - 3 * Long.BYTES;
    }

    /** Returns the version in the bytes of a single change, which have some length; others may follow. */
    static long versionOfOnly(byte[] bytes, int length) {
        return ByteBuffer.wrap(bytes).getLong(placeOfOnlyVersion(length));
    }

    /** Returns the changes; null if a newer version has written them in another form. */
    static @Nullable List<LoggedChange> decode(byte[] bytes) {
        List<LoggedChange> changes = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readByte() != FORM) {
                return null;
            }
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                changes.add(new LoggedChange(
                        KINDS.get(in.readByte()),
                        in.readLong(),
                        in.readLong(),
                        in.readUTF(),
                        in.readUTF(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong()));
            }
        } catch (IOException | IndexOutOfBoundsException e) {
            return null;
        }
        return changes;
    }
}
