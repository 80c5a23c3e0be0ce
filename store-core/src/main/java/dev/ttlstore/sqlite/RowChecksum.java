package dev.ttlstore.sqlite;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * The checksum of a value: CRC-32C (RFC 3720) over the hash codes of its group and key, its version and its bytes. So it also tells that a
 * value belongs to another entry, as when an index leads to the wrong row. It leaves out the times, which a renewal changes without the
 * value.
 *
 * <p>{@link String#hashCode()} is the same in every Java; most names know theirs already.
 *
 * <p>An instance computes one after the other without garbage. Used by one thread at a time.
 */
final class RowChecksum {

    /** Reads the checksum with one call. The number that stands for a missing one is beyond all of them, and so matches no value. */
    static final String COLUMN = "ifnull(checksum, " + (1L << 32) + ")";

    private final byte[] head = new byte[2 * Integer.BYTES + Long.BYTES];
    private final ByteBuffer numbers = ByteBuffer.wrap(head);
    private final CRC32C checksum = new CRC32C();

    /** Returns the checksum to store with a row. A damaged value stays so when it is stored elsewhere. */
    static int of(Row row) {
        int checksum = of(row.key(), row.version(), row.storedValue());
        return row.damaged() ? ~checksum : checksum;
    }

    static int of(RowKey key, long version, byte[] value) {
        return new RowChecksum().compute(key, version, value);
    }

    private int compute(RowKey key, long version, byte[] value) {
        ByteBuffer unused = numbers.clear()
                .putInt(key.group().hashCode())
                .putInt(key.key().hashCode())
                .putLong(version);
        checksum.reset();
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

    /** Tests whether a value that was just read is not the one that was written. Its checksum is in the next column. */
    boolean differs(RowKey key, long version, byte @Nullable [] value, ResultSet row, int column) throws SQLException {
        return (value == null && row.wasNull())
                || row.getLong(column + 1) != compute(key, version, EntryColumns.orEmpty(value));
    }
}
