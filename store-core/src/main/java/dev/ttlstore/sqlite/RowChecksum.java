package dev.ttlstore.sqlite;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * The checksum of a value: CRC-32C (RFC 3720) over the hash codes of its group and key, its version and its bytes. So it also tells that a
 * value belongs to another entry, as when an index leads to the wrong row. It leaves out the times, which a renewal changes without the
 * value.
 *
 * <p>{@link String#hashCode()} is the same in every Java; most names know theirs already.
 */
final class RowChecksum {

    /** Reads the checksum with one call. The number that stands for a missing one is beyond all of them, and so matches no value. */
    static final String COLUMN = "ifnull(checksum, " + (1L << 32) + ")";

    private RowChecksum() {}

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

    static int of(HighWater state) {
        byte[] numbers = new byte[2 * Long.BYTES];
        ByteBuffer unused = ByteBuffer.wrap(numbers).putLong(state.sequence()).putLong(state.time());
        CRC32C checksum = new CRC32C();
        checksum.update(numbers, 0, numbers.length);
        return (int) checksum.getValue();
    }

    /**
     * Tests whether a value does not match what was read as its checksum.
     *
     * @param stored the checksum, as {@link #COLUMN} reads it
     */
    static boolean differs(long stored, RowKey key, long version, byte[] value) {
        return stored != of(key, version, value);
    }
}
