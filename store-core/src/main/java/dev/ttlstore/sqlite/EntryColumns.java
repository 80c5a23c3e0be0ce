package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.RecordCheck;
import dev.ttlstore.exception.StoreCorruptedException;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads the columns of a row of a result. */
final class EntryColumns {

    static final byte[] NO_BYTES = {};

    private EntryColumns() {}

    /** Reads a blob or a text as it is. The driver returns an empty one as null, and a column that is null is empty here. */
    static byte[] bytes(ResultSet row, int column) throws SQLException {
        return orEmpty(row.getBytes(column));
    }

    /**
     * Reads text as bytes, because the driver's own method copies them into a direct buffer first.
     *
     * @throws StoreCorruptedException if it is null, which the tables do not allow
     */
    static String text(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        if (bytes == null && row.wasNull()) {
            throw unreadable();
        }
        return bytes == null ? "" : new String(bytes, UTF_8);
    }

    /**
     * Reads the version of an entry.
     *
     * @throws StoreCorruptedException if it cannot be one: SQLite reads a row whose header was overwritten as one without content
     */
    private static long version(ResultSet row, int column) throws SQLException {
        long version = row.getLong(column);
        if (version < 1) {
            throw unreadable();
        }
        return version;
    }

    private static StoreCorruptedException unreadable() {
        return new StoreCorruptedException(
                "A row of the store's file is damaged: it lacks what each has",
                "Verify the store; then stop the application, and repair the file or restore a backup",
                null);
    }

    static byte[] orEmpty(byte @Nullable [] bytes) {
        return bytes == null ? NO_BYTES : bytes;
    }

    static @Nullable String textOrNull(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : new String(bytes, UTF_8);
    }

    /**
     * Reads the name of a group, or null.
     *
     * @throws StoreCorruptedException if it is not one
     */
    static @Nullable String nameOrNull(ResultSet row, int column) throws SQLException {
        if (problemOfGroupOrNull(row, column) != null) {
            throw unreadable();
        }
        return textOrNull(row, column);
    }

    /** Says what is wrong with the name of a group; null if nothing is, as with null. */
    static @Nullable String problemOfGroupOrNull(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null && row.wasNull()
                ? null
                : RecordCheck.problemOfName("group", RecordCheck.decode(orEmpty(bytes)));
    }

    /** Reads text; null if it is no UTF-8. */
    static @Nullable String decoded(ResultSet row, int column) throws SQLException {
        return RecordCheck.decode(bytes(row, column));
    }

    /** Reads a time; {@link Row#NEVER} if it is null. */
    static long time(ResultSet row, int column) throws SQLException {
        long time = row.getLong(column);
        return row.wasNull() ? Row.NEVER : time;
    }

    /** Reads a number; null if it is null. */
    static @Nullable Long numberOrNull(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : (Long) number;
    }

    /** Reads a group and, from the next column, a key, as far as they are UTF-8. */
    static RecordCheck.Name name(ResultSet row, int column) throws SQLException {
        return new RecordCheck.Name(decoded(row, column), decoded(row, column + 1));
    }

    /** Reads a group and, from the next column, a key. */
    static RowKey key(ResultSet row, int column) throws SQLException {
        return new RowKey(text(row, column), text(row, column + 1));
    }

    /** Reads the columns version, created_at, updated_at, the expiry, value and the checksum, in this order. */
    static Row row(RowKey key, ResultSet row, RowChecksum checksum) throws SQLException {
        long version = version(row, 1);
        byte[] value = row.getBytes(5);
        boolean damaged = checksum.differs(key, version, value, row, 5);
        return new Row(key, orEmpty(value), version, row.getLong(2), row.getLong(3), row.getLong(4), damaged);
    }

    /** Reads a key and, from the next columns, version, value and the checksum, in this order. The row has no times. */
    static Row valueRow(String group, ResultSet row, int column, RowChecksum checksum) throws SQLException {
        RowKey key = new RowKey(group, text(row, column));
        long version = version(row, column + 1);
        byte[] value = row.getBytes(column + 2);
        boolean damaged = checksum.differs(key, version, value, row, column + 2);
        return new Row(key, orEmpty(value), version, 0, 0, Row.NEVER, damaged);
    }

    /** Reads the same of a delivery. */
    static KeyValue keyValue(String group, ResultSet row, int column) throws SQLException {
        Row found = valueRow(group, row, column, new RowChecksum());
        return new KeyValue(found.key().key(), found.storedValue(), found.damaged());
    }

    /**
     * Reads the value of an expired entry and, from the next column, its checksum.
     *
     * @throws StoreCorruptedException if the value is damaged
     */
    static byte[] soundValue(RowKey key, long version, ResultSet row, int column) throws SQLException {
        byte[] value = row.getBytes(column);
        if (new RowChecksum().differs(key, version, value, row, column)) {
            throw StoreCorruptedException.ofValue("of an expired entry of the group '" + key.group() + "'");
        }
        return orEmpty(value);
    }

    /** Reads the columns grp, key, version, expires_at and the size, in this order. */
    static ExpiryRow expiryRow(ResultSet row) throws SQLException {
        return new ExpiryRow(key(row, 1), row.getLong(3), row.getLong(4), row.getLong(5));
    }
}
