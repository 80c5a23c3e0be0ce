package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

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

    /** Reads the columns version, created_at, updated_at, the expiry and value, in this order. */
    static Row row(RowKey key, ResultSet row) throws SQLException {
        return new Row(key, bytes(row, 5), row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
    }

    /** Reads the columns grp, key, version, expires_at and the size, in this order. */
    static ExpiryRow expiryRow(ResultSet row) throws SQLException {
        return new ExpiryRow(key(row, 1), row.getLong(3), row.getLong(4), row.getLong(5));
    }
}
