package dev.ttlstore.sqlite;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * The checksum of a value: CRC-32C (RFC 3720) over the hash codes of its group and key, its version and its bytes. So it also tells that a
 * value belongs to another entry, as when an index leads to the wrong row. It leaves out the times, which a renewal changes without the
 * value.
 *
 * <p>{@link String#hashCode()} is the same in every Java; most names know theirs already.
 */
final class Checksum {

    /** What queries read for a value without a checksum, because it was written before layout 9. It is beyond those of the others. */
    static final long NONE = 1L << 32;

    /** Reads the checksum, or {@link #NONE}, with one call. */
    static final String COLUMN = "ifnull(checksum, " + NONE + ")";

    private Checksum() {}

    /** Returns the checksum to store with a row. A damaged value stays so when it is stored elsewhere. */
    static int of(Row row) {
        int checksum = of(row.key(), row.version(), row.storedValue());
        return row.damaged() ? ~checksum : checksum;
    }

    static int of(RowKey key, long version, byte[] value) {
        byte[] head = new byte[2 * Integer.BYTES + Long.BYTES];
        ByteBuffer unused = ByteBuffer.wrap(head)
                .putInt(key.group().hashCode())
                .putInt(key.key().hashCode())
                .putLong(version);
        CRC32C checksum = new CRC32C();
        checksum.update(head, 0, head.length);
        checksum.update(value, 0, value.length);
        return (int) checksum.getValue();
    }

    /**
     * Tests whether a value does not match what was read as its checksum.
     *
     * @param stored the checksum, or {@link #NONE}
     */
    static boolean differs(long stored, RowKey key, long version, byte[] value) {
        return stored != NONE && stored != of(key, version, value);
    }
}
