package dev.ttlstore.postgresql;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Change.Kind;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.RecordCheck;

/** Converts the changes of a commit to the bytes of a log row, and back. */
final class ChangeCodec {

    /** The form of the bytes. A reader that does not know it reports a gap. */
    private static final int FORM = 1;

    /** The form of an earlier version, with the kinds of the changes once more at the end. Those count, because the server had added them. */
    private static final int FORM_WITH_KINDS = 2;

    /** The kinds by their numbers in the log, which never change. */
    private static final List<Kind> KINDS =
            List.of(Kind.CREATED, Kind.REPLACED, Kind.DELETED, Kind.EXPIRED, Kind.GROUP_DELETED, Kind.SHORTENED);

    /** The most bytes that the changes of a row in the log take, so that no reader needs much memory for a large commit. */
    static final int MOST_BYTES = 64 * 1024;

    /** What a change takes beside its names: its kind, five numbers, and the lengths of two texts. */
    private static final int FIXED_BYTES = 1 + 5 * Long.BYTES + 2 * Short.BYTES;

    /** A character takes no more bytes than these. */
    private static final int BYTES_OF_CHARACTER = 3;

    private ChangeCodec() {}

    /** Returns the most bytes that a change of a row may take. */
    static int mostBytes(String group, String key) {
        return FIXED_BYTES + BYTES_OF_CHARACTER * (group.length() + key.length());
    }

    /** Shares changes out among as many rows as they need. */
    static List<byte[]> encodeInParts(List<Change> changes) {
        List<byte[]> parts = new ArrayList<>(1);
        int begin = 0;
        int bytes = 0;
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            int more = mostBytes(change.group(), change.key());
            if (i > begin && bytes + more > MOST_BYTES) {
                parts.add(encode(changes.subList(begin, i)));
                begin = i;
                bytes = 0;
            }
            bytes += more;
        }
        parts.add(encode(changes.subList(begin, changes.size())));
        return parts;
    }

    static byte[] encode(List<Change> changes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.writeInt(changes.size());
            for (Change change : changes) {
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

    /** Returns the names of a row as they stand in a change. */
    static byte[] names(RowKey key) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(key.group());
            out.writeUTF(key.key());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // does not happen in memory
        }
        return bytes.toByteArray();
    }

    /** Returns the changes; null if a newer version has written them in another form, or if no store has written them. */
    static @Nullable List<Change> decode(byte[] bytes) {
        List<Change> changes = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int form = in.readByte();
            if (form != FORM && form != FORM_WITH_KINDS) {
                return null;
            }
            int count = in.readInt();
            if (count <= 0) {
                return null;
            }
            for (int i = 0; i < count; i++) {
                int kind = in.readByte();
                changes.add(new Change(
                        KINDS.get(form == FORM ? kind : bytes[bytes.length - count + i]),
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
        return changes.stream().allMatch(ChangeCodec::hasNames) ? changes : null;
    }

    private static boolean hasNames(Change change) {
        return RecordCheck.problemOfName("group", change.group()) == null
                && (change.kind() == Kind.GROUP_DELETED || RecordCheck.problemOfName("key", change.key()) == null);
    }
}
