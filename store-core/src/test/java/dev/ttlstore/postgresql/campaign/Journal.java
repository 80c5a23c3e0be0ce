package dev.ttlstore.postgresql.campaign;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a process writes down of its work. It is not buffered, and a line is one call, so that it survives the process. Thread-safe.
 */
final class Journal {

    /** A write begins: the thread, what kind it is, the key, and the value. */
    static final String BEGUN = "B";

    /** The write of a thread has returned, with a number. */
    static final String ACKNOWLEDGED = "A";

    /** The write of a thread has thrown, and says that nothing was written. */
    static final String FAILED = "F";

    /** The write of a thread has thrown, and says that it may have been made. */
    static final String UNKNOWN = "U";

    /** An expiry was handled: its key. */
    static final String HANDLED = "H";

    /** The watch must see everything from a sequence on. */
    static final String WATCHING = "W";

    /** The watch has seen the change with a sequence. */
    static final String SEEN = "S";

    /** The watch has reported a gap. */
    static final String GAP = "G";

    /** Something is wrong. */
    static final String WRONG = "X";

    private final OutputStream out;

    Journal(Path file) throws IOException {
        this.out = new FileOutputStream(file.toFile(), true);
    }

    synchronized void write(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(word.toString().replace('\n', ' ')).append(' ');
        }
        line.setCharAt(line.length() - 1, '\n');
        try {
            out.write(line.toString().getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
