package dev.ttlstore.sqlite;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.DiskFiles;
import dev.ttlstore.engine.support.RecordCheck;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The rows that a repair does not take over, with their values: a line of JSON for each. There is no such file if there are none, and
 * none is left if it was not finished.
 */
final class SideFile implements AutoCloseable {

    private final Path path;
    private final Path store;
    private @Nullable OutputStream out;
    private long rows;

    /**
     * Prepares a file.
     *
     * @param path the file
     * @param store the store's file, whose owner also gets this one
     */
    SideFile(Path path, Path store) {
        this.path = path;
        this.store = store;
    }

    /** A row to write: its fields in order, as texts, numbers, bytes or nothing. */
    static final class Line {
        private final Map<String, String> fields = new LinkedHashMap<>();

        /** Begins with what each row of an entry has. A name that is no UTF-8 is written as bytes. */
        static Line of(String kind, String reason, byte[] groupBytes, byte[] keyBytes) {
            String group = RecordCheck.decode(groupBytes);
            String key = RecordCheck.decode(keyBytes);
            return new Line()
                    .text("kind", kind)
                    .text("reason", reason)
                    .text("group", group)
                    .bytes("groupBytes", group == null ? groupBytes : null)
                    .text("key", key)
                    .bytes("keyBytes", key == null ? keyBytes : null);
        }

        Line text(String name, @Nullable String text) {
            if (text != null) {
                fields.put(name, quoted(text));
            }
            return this;
        }

        Line number(String name, @Nullable Long number) {
            if (number != null) {
                fields.put(name, Long.toString(number));
            }
            return this;
        }

        /** Adds bytes in Base64. */
        Line bytes(String name, byte @Nullable [] bytes) {
            return text(name, bytes == null ? null : Base64.getEncoder().encodeToString(bytes));
        }

        private String json() {
            StringJoiner json = new StringJoiner(",", "{", "}\n");
            fields.forEach((name, value) -> json.add(quoted(name) + ":" + value));
            return json.toString();
        }
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    void write(Line line) {
        try {
            OutputStream to = out;
            if (to == null) {
                DiskFiles.createFor(store, path); // before it has any content
                to = new BufferedOutputStream(
                        Files.newOutputStream(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
                out = to;
            }
            to.write(line.json().getBytes(UTF_8));
            rows++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long rows() {
        return rows;
    }

    /** Forces the file to the disk. */
    void finish() throws IOException {
        OutputStream to = out;
        if (to != null) {
            to.close();
            out = null;
            DiskFiles.sync(path);
        }
    }

    /** Deletes the file if it was not finished. */
    @Override
    public void close() throws IOException {
        OutputStream to = out;
        if (to != null) {
            to.close();
            out = null;
            Files.deleteIfExists(path);
        }
    }
}
