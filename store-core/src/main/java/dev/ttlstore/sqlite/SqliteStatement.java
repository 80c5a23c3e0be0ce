package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.sqlite.core.CoreResultSet;

import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.StoreException;

/**
 * A statement that is prepared once and run often. Each time its parameters are bound in order, and then it runs. Translates SQLite's
 * exceptions. Used by one thread at a time.
 *
 * <p>For each run of a query, the driver asks SQLite for the column names, one by one, and forgets them afterwards.
 * For the read of one row, that is a sixth of the time and a third of the garbage, and no code here uses names. So
 * this class keeps the names of the first run, and puts them where the driver looks before it asks.
 */
final class SqliteStatement implements AutoCloseable {

    private final PreparedStatement statement;
    private final Function<SQLException, StoreException> translation;

    /** The driver has one result per statement, and returns it for each run; null before the first run. */
    private @Nullable CoreResultSet result;

    private String @Nullable [] columns;
    private int last;

    SqliteStatement(PreparedStatement statement, Function<SQLException, StoreException> translation) {
        this.statement = statement;
        this.translation = translation;
    }

    /** Reads a row of a result. */
    interface RowReader<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    /** Takes a row of a result. */
    interface RowTaker {
        void take(ResultSet row) throws SQLException;
    }

    /** Begins with the first parameter again. */
    SqliteStatement begin() {
        last = 0;
        return this;
    }

    SqliteStatement text(@Nullable String text) {
        try {
            statement.setString(++last, text);
            return this;
        } catch (SQLException e) {
            throw translation.apply(e);
        }
    }

    SqliteStatement number(long number) {
        try {
            statement.setLong(++last, number);
            return this;
        } catch (SQLException e) {
            throw translation.apply(e);
        }
    }

    SqliteStatement bytes(byte[] bytes) {
        try {
            statement.setBytes(++last, bytes);
            return this;
        } catch (SQLException e) {
            throw translation.apply(e);
        }
    }

    /** Binds what was read from a column. */
    SqliteStatement any(@Nullable Object value) {
        try {
            statement.setObject(++last, value);
            return this;
        } catch (SQLException e) {
            throw translation.apply(e);
        }
    }

    /** Binds what was read from several columns. */
    SqliteStatement all(List<@Nullable Object> values) {
        values.forEach(this::any);
        return this;
    }

    /** Binds a value and, next, its checksum. */
    SqliteStatement value(RowKey key, long version, byte[] value) {
        return bytes(value).number(RowChecksum.of(key, version, value));
    }

    /** Binds version, creation, update, value, checksum, group and key, in this order. */
    SqliteStatement row(Row row, RowChecksum checksum) {
        return number(row.version())
                .number(row.createdAt())
                .number(row.updatedAt())
                .bytes(row.storedValue())
                .number(checksum.stored(row))
                .name(row.key());
    }

    /** Binds a time, or null for {@link Row#NEVER}. */
    SqliteStatement time(long time) {
        return time == Row.NEVER ? any(null) : number(time);
    }

    /** Binds group and key. */
    SqliteStatement name(RowKey key) {
        return text(key.group()).text(key.key());
    }

    /** Binds the lower and the upper bound of group names. */
    SqliteStatement range(GroupRange groups) {
        return text(groups.from()).upperBound(groups.to());
    }

    /**
     * Binds an exclusive upper bound. Null, for no bound, becomes the empty blob, which SQLite orders after every
     * text.
     */
    SqliteStatement upperBound(@Nullable String bound) {
        return bound == null ? bytes(EntryColumns.NO_BYTES) : text(bound);
    }

    /** Runs a change, and returns how many rows were changed. */
    int update() {
        try {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw translation.apply(e);
        }
    }

    /** Runs a query, and reads all rows. */
    <T> List<T> list(RowReader<T> reader) {
        List<T> rows = new ArrayList<>();
        each(row -> rows.add(reader.read(row)));
        return rows;
    }

    /** Runs a query, and passes its rows on. */
    void each(RowTaker taker) {
        boolean unused = until(row -> {
            taker.take(row);
            return false;
        });
    }

    /** Runs a query, and reads rows until the reader returns true. Returns whether it did. */
    boolean until(RowReader<Boolean> reader) {
        try (ResultSet rows = query()) {
            while (rows.next()) {
                if (reader.read(rows)) {
                    return true;
                }
            }
            return false;
        } catch (SQLException e) {
            throw translation.apply(e);
        }
    }

    /** Runs a query, and reads the first row; null if there is none. */
    <T extends @Nullable Object> @Nullable T first(RowReader<T> reader) {
        try (ResultSet rows = query()) {
            return rows.next() ? reader.read(rows) : null;
        } catch (SQLException e) {
            throw translation.apply(e);
        }
    }

    /** Runs a query that has exactly one row, and reads it. */
    <T> T one(RowReader<T> reader) {
        try (ResultSet rows = query()) {
            rows.next();
            return reader.read(rows);
        } catch (SQLException e) {
            throw translation.apply(e);
        }
    }

    private ResultSet query() throws SQLException {
        CoreResultSet known = result;
        if (known == null) {
            ResultSet first = statement.executeQuery();
            if (first instanceof CoreResultSet driver) {
                result = driver;
                columns = driver.colsMeta;
            }
            return first;
        }
        statement.execute(); // the driver forgets the names here
        known.colsMeta = columns;
        return statement.getResultSet();
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
