package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * A prepared statement whose parameters are bound in order, and which is then run once. Used within a call of its
 * session.
 */
final class BoundStatement {

    private final PreparedStatement statement;
    private int last;

    BoundStatement(PreparedStatement statement) {
        this.statement = statement;
    }

    /** Reads a row of a result. */
    interface RowReader<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    /** Binds the rest of the parameters, and may read the answer. */
    interface Query<R extends @Nullable Object> {
        R run(BoundStatement query) throws SQLException;
    }

    /** Takes a row of a result. */
    interface RowTaker {
        void take(ResultSet row) throws SQLException;
    }

    BoundStatement text(@Nullable String text) throws SQLException {
        statement.setString(++last, text);
        return this;
    }

    BoundStatement number(long number) throws SQLException {
        statement.setLong(++last, number);
        return this;
    }

    BoundStatement bytes(byte[] bytes) throws SQLException {
        statement.setBytes(++last, bytes);
        return this;
    }

    /** Binds a value and, next, its checksum. */
    BoundStatement value(RowKey key, long version, byte[] value) throws SQLException {
        return bytes(value).number(RowChecksum.of(key, version, value));
    }

    /** Binds version, creation, update, value, checksum, group and key, in this order. */
    BoundStatement row(Row row, RowChecksum checksum) throws SQLException {
        return number(row.version())
                .number(row.createdAt())
                .number(row.updatedAt())
                .bytes(row.storedValue())
                .number(checksum.stored(row))
                .name(row.key());
    }

    /** Binds what was read from a column. */
    BoundStatement any(@Nullable Object value) throws SQLException {
        statement.setObject(++last, value);
        return this;
    }

    /** Binds a time, or null for {@link Row#NEVER}. */
    BoundStatement time(long time) throws SQLException {
        if (time == Row.NEVER) {
            statement.setNull(++last, Types.INTEGER);
            return this;
        }
        return number(time);
    }

    /** Binds group and key. */
    BoundStatement name(RowKey key) throws SQLException {
        return text(key.group()).text(key.key());
    }

    /** Binds the lower and the upper bound of group names. */
    BoundStatement range(GroupRange groups) throws SQLException {
        return text(groups.from()).upperBound(groups.to());
    }

    /**
     * Binds an exclusive upper bound. Null, for no bound, becomes the empty blob, which SQLite orders after every
     * text.
     */
    BoundStatement upperBound(@Nullable String bound) throws SQLException {
        return bound == null ? bytes(EntryColumns.NO_BYTES) : text(bound);
    }

    /** Runs a change, and returns how many rows were changed. */
    int update() throws SQLException {
        return statement.executeUpdate();
    }

    /** Runs a query, and reads all rows. */
    <T> List<T> list(RowReader<T> reader) throws SQLException {
        List<T> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                rows.add(reader.read(result));
            }
        }
        return rows;
    }

    /** Runs a query, and passes its rows on. */
    void each(RowTaker taker) throws SQLException {
        boolean unused = until(row -> {
            taker.take(row);
            return false;
        });
    }

    /** Runs a query, and reads rows until the reader returns true. Returns whether it did. */
    boolean until(RowReader<Boolean> reader) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                if (reader.read(result)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Runs a query, and reads the first row; null if there is none. */
    <T extends @Nullable Object> @Nullable T first(RowReader<T> reader) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            return result.next() ? reader.read(result) : null;
        }
    }

    /** Runs a query that has exactly one row, and reads it. */
    <T> T one(RowReader<T> reader) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            result.next();
            return reader.read(result);
        }
    }
}
