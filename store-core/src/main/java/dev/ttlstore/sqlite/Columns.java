package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.StoreCorruptedException;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads the columns of a row of a result. */
final class Columns {

    static final byte[] NO_BYTES = {};

    private Columns() {}

    /** Reads a blob. The driver returns an empty one as null; no column that is read with this is ever null. */
    static byte[] bytes(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? NO_BYTES : bytes;
    }

    /** Reads text as bytes, because the driver's own method copies them into a direct buffer first. */
    static String text(ResultSet row, int column) throws SQLException {
        return new String(row.getBytes(column), UTF_8);
    }

    static @Nullable String textOrNull(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : new String(bytes, UTF_8);
    }

    /** Reads a time; {@link Row#NEVER} if it is null. */
    static long time(ResultSet row, int column) throws SQLException {
        long time = row.getLong(column);
        return row.wasNull() ? Row.NEVER : time;
    }

    /** Reads a group and, from the next column, a key. */
    static RowKey key(ResultSet row, int column) throws SQLException {
        return new RowKey(text(row, column), text(row, column + 1));
    }

    /** Reads the columns version, created_at, updated_at, the expiry, value and the checksum, in this order. */
    static Row row(RowKey key, ResultSet row) throws SQLException {
        long version = row.getLong(1);
        byte[] value = bytes(row, 5);
        boolean damaged = Checksum.differs(row.getLong(6), key, version, value);
        return new Row(key, value, version, row.getLong(2), row.getLong(3), row.getLong(4), damaged);
    }

    /**
     * Reads the value of an expired entry and, from the next column, its checksum.
     *
     * @throws StoreCorruptedException if the value is damaged
     */
    static byte[] soundValue(RowKey key, long version, ResultSet row, int column) throws SQLException {
        byte[] value = bytes(row, column);
        if (Checksum.differs(row.getLong(column + 1), key, version, value)) {
            throw StoreCorruptedException.ofValue("of an expired entry of the group '" + key.group() + "'");
        }
        return value;
    }

    /** Reads the columns grp, key, version, expires_at and the size, in this order. */
    static ExpiryRow expiryRow(ResultSet row) throws SQLException {
        return new ExpiryRow(key(row, 1), row.getLong(3), row.getLong(4), row.getLong(5));
    }
}
