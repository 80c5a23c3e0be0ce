package dev.ttlstore.export;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.export.EntryLines.MalformedLineException;

/** Reads a file line by line. Lines of blanks are skipped. Used by one thread. */
final class LineReader implements Closeable {

    /** What some editors write at the beginning of a file in UTF-8. */
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** A line with the largest value that a store takes is shorter. */
    private static final int MAX_LINE = 1 << 30;

    private final InputStream in;
    private long bytes;
    private long number;
    private boolean complete;

    LineReader(InputStream in) {
        this.in = new BufferedInputStream(in, 64 * 1024);
    }

    private void skipByteOrderMark() throws IOException {
        in.mark(BYTE_ORDER_MARK.length);
        if (Arrays.equals(in.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
            bytes = BYTE_ORDER_MARK.length;
        } else {
            in.reset();
        }
    }

    /**
     * Returns the next line without its end; null if there is none.
     *
     * @throws MalformedLineException if the file has no lines of JSON
     */
    byte @Nullable [] next() throws IOException, MalformedLineException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        complete = false;
        boolean begun = false;
        if (bytes == 0) {
            skipByteOrderMark();
        }
        while (true) {
            int next = in.read();
            if (next < 0) {
                if (!begun) {
                    return null;
                }
                break;
            }
            bytes++;
            if (next == '\n') {
                number++;
                if (begun) {
                    complete = true;
                    return line.toByteArray();
                }
                continue;
            }
            if (!begun && isBlank(next)) {
                continue;
            }
            if (!begun && next != '{') { // so that nothing large is read that has no lines
                number++;
                throw new MalformedLineException("it is not a JSON object");
            }
            if (line.size() == MAX_LINE) {
                number++;
                throw new MalformedLineException("it is longer than a gigabyte");
            }
            begun = true;
            line.write(next);
        }
        number++;
        return line.toByteArray();
    }

    private static boolean isBlank(int next) {
        return next == ' ' || next == '\t' || next == '\r';
    }

    /** Returns how many bytes were read. */
    long bytes() {
        return bytes;
    }

    /** Returns the number of the last line, from 1. */
    long number() {
        return number;
    }

    /** Tests whether the last line had an end. */
    boolean isComplete() {
        return complete;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
