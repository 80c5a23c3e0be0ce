package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;

/**
 * Reads the rows of a table of a damaged file, as far as SQLite can reach them. It reads forwards to the damage, then backwards from the
 * end to the damage. An index tells which rows were not found, also where no damage was met: a damaged page can hide rows without an error.
 * Without the index, it looks for rows in ever smaller parts. A row may be read twice.
 *
 * @param session a session on the damaged file
 * @param inspection what is found in it
 */
record Salvage(SqliteSession session, Inspection inspection) {

    /** How many parts of a damaged area are tried. Each takes some ten microseconds. */
    private static final int MOST_PARTS = 20_000;

    /** A range of positions, with both bounds. Rows in it may have been read. */
    record Gap(long from, long to) {

        private List<Gap> halves() {
            long middle = (from & to) + ((from ^ to) >> 1);
            return List.of(new Gap(from, middle), new Gap(middle + 1, to));
        }
    }

    /**
     * A table to read.
     *
     * @param name its name
     * @param key its primary key. It begins with the position: an integer column by which the table is ordered
     * @param columns the columns to read, the position first
     * @param index an index that has all rows
     * @param named the columns of the index that are the group and the key; empty if it has none
     */
    record Table(String name, List<String> key, String columns, String index, List<String> named) {

        private String sql(String condition, String order) {
            return "SELECT " + columns + " FROM " + name + condition + " ORDER BY " + key.get(0) + order;
        }

        /** Reads from one end without a bound, because a search for a bound could be misled. */
        private String all(String order) {
            return sql("", order);
        }

        private String part(String order) {
            return sql(" WHERE " + key.get(0) + " BETWEEN ? AND ?", order);
        }

        private String row() {
            return "SELECT " + columns + " FROM " + name + " WHERE (" + String.join(", ", key) + ") = (?"
                    + ", ?".repeat(key.size() - 1) + ")";
        }

        /** Reads the primary key from the first columns of a row. */
        List<@Nullable Object> keyOf(ResultSet row) throws SQLException {
            List<@Nullable Object> values = new ArrayList<>();
            for (int column = 1; column <= key.size(); column++) {
                Object value = row.getObject(column);
                values.add(value instanceof Number number ? (Long) number.longValue() : value);
            }
            return values;
        }

        private String indexed(String order) {
            List<String> read = new ArrayList<>(key);
            read.addAll(named);
            return "SELECT " + String.join(", ", read) + " FROM " + name + " INDEXED BY " + index
                    + (named.isEmpty() ? "" : " ORDER BY " + named.get(0) + order);
        }
    }

    /**
     * A table to read into the new file.
     *
     * @param table the table in the damaged file
     * @param taker takes its rows, and returns whether a row is sound, so that its position can be trusted
     * @param found whether a row that an index has was taken, or moved to the side file
     */
    record Part(Table table, SqliteStatement.RowReader<Boolean> taker, Predicate<Missing> found) {}

    /**
     * A row that an index has, and a table has not.
     *
     * @param key its primary key, with numbers as {@code Long}
     * @param group its group; null if the index does not have it
     * @param name its key within the group; null if the index does not have it
     */
    record Missing(
            List<@Nullable Object> key,
            @Nullable String group,
            @Nullable String name) {}

    /**
     * Reads a table from both ends.
     *
     * @return where rows may be that could not be read; null if no damage was met
     */
    @Nullable
    Gap ends(Table table, SqliteStatement.RowReader<Boolean> taker) {
        long[] last = {Long.MIN_VALUE};
        if (read(table.all(""), row -> take(taker, row, last))) {
            return null;
        }
        long from = last[0];
        last[0] = Long.MAX_VALUE;
        boolean whole = until(table.all(" DESC"), row -> {
            take(taker, row, last);
            return last[0] < from;
        });
        return whole ? null : new Gap(from, last[0]);
    }

    private static void take(SqliteStatement.RowReader<Boolean> taker, ResultSet row, long[] last) throws SQLException {
        long position = row.getLong(1);
        if (taker.read(row)) {
            last[0] = position;
        }
    }

    /**
     * Looks for rows in a gap, in ever smaller parts, from its beginning.
     *
     * @return whether the whole gap was searched
     */
    boolean between(Table table, Gap gap, SqliteStatement.RowReader<Boolean> taker) {
        Deque<Gap> left = new ArrayDeque<>(gap.halves());
        int parts = 0;
        while (!left.isEmpty()) {
            if (++parts > MOST_PARTS) {
                return false;
            }
            inspection.requireGoingOn();
            Gap rest = shrink(table, left.pop(), taker);
            if (rest != null && rest.from() < rest.to()) {
                List<Gap> halves = rest.halves();
                left.push(halves.get(1));
                left.push(halves.get(0));
            }
        }
        return true;
    }

    /** Reads a part from both ends, and returns what is left; null if it was read to its end. */
    private @Nullable Gap shrink(Table table, Gap gap, SqliteStatement.RowReader<Boolean> taker) {
        long[] last = {gap.from()};
        if (read(table.part(""), row -> take(taker, row, last), gap.from(), gap.to())) {
            return null;
        }
        long from = Math.min(Math.max(gap.from(), last[0]), gap.to());
        last[0] = gap.to();
        boolean whole = read(table.part(" DESC"), row -> take(taker, row, last), from, gap.to());
        return whole ? null : new Gap(from, Math.max(from, Math.min(last[0], gap.to())));
    }

    /**
     * Looks for the rows that an index has, by their keys.
     *
     * @param found whether a row was taken already
     * @param missing gets those that the table does not have
     * @return whether the whole index could be read
     */
    boolean indexed(
            Table table, Predicate<Missing> found, SqliteStatement.RowReader<Boolean> taker, List<Missing> missing) {
        SqliteStatement.RowTaker reader = row -> {
            Missing each = missing(table, row);
            if (!found.test(each)) {
                missing.add(each);
            }
        };
        boolean all = read(table.indexed(""), reader);
        if (!all) {
            boolean unused = read(table.indexed(" DESC"), reader);
        }
        for (Missing each : missing) {
            boolean unused = read(
                    table.row(),
                    row -> take(taker, row, new long[1]),
                    each.key().toArray());
        }
        missing.removeIf(found);
        return all;
    }

    private static Missing missing(Table table, ResultSet row) throws SQLException {
        int columns = table.key().size();
        List<@Nullable Object> key = table.keyOf(row);
        return table.named().isEmpty()
                ? new Missing(key, null, null)
                : new Missing(key, EntryColumns.decoded(row, columns + 1), EntryColumns.decoded(row, columns + 2));
    }

    /**
     * Reads the rows of a query.
     *
     * @return whether it was read to its end; false if damage has stopped it
     */
    boolean read(String sql, SqliteStatement.RowTaker reader, @Nullable Object... parameters) {
        return until(
                sql,
                row -> {
                    reader.take(row);
                    return false;
                },
                parameters);
    }

    /** Does the same until the reader returns true, which counts as the end. */
    private boolean until(String sql, SqliteStatement.RowReader<Boolean> reader, @Nullable Object... parameters) {
        try {
            session.watched(inspection::goOn, () -> {
                boolean unused = session.bind(sql)
                        .all(Arrays.asList(parameters))
                        .until(row -> {
                            inspection.row();
                            return reader.read(row);
                        });
            });
            return true;
        } catch (StoreCorruptedException e) {
            return false;
        } catch (StoreException e) {
            inspection.throwReason();
            if (SqliteErrors.isRefusedStatement(e)) { // there is no such table or index any more
                return false;
            }
            throw e;
        }
    }
}
