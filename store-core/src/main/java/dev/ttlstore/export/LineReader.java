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

    /** What a line may need beside its value: names, all of whose bytes are escaped, and times. */
    private static final int BESIDE_VALUE = 64 * 1024;

    /** What a byte of a value may need: six characters, if it is escaped. */
    private static final int PER_BYTE = 6;

    private final InputStream in;
    private final long maxLine;
    private long bytes;
    private long number;
    private boolean complete;

    LineReader(InputStream in, int maxValueSize) {
        this.maxLine = Math.min(Integer.MAX_VALUE / 2, (long) PER_BYTE * maxValueSize + BESIDE_VALUE);
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
            if (line.size() == maxLine) {
                number++;
                throw new MalformedLineException("it is longer than an entry with the largest value can be, " + maxLine
                        + " bytes; for larger values raise 'maxValueSize' of the store");
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
