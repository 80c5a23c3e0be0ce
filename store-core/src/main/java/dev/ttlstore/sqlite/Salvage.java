package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.Inspection;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;

/**
 * Reads the rows of a table of a damaged file, as far as SQLite can reach them. It reads forwards to the damage, then backwards from the
 * end to the damage, and then looks for rows between: by the names in an index, or in ever smaller parts. Reading the rows uses no index,
 * so a damaged one hides nothing. A row may be read twice.
 */
final class Salvage {

    /** How many parts of a damaged area are tried. Each takes some ten microseconds. */
    private static final int MOST_PARTS = 20_000;

    private static final int STEPS_PER_LOOK = 20_000;

    private final SqliteSession session;
    private final Inspection inspection;

    Salvage(SqliteSession session, Inspection inspection) {
        this.session = session;
        this.inspection = inspection;
    }

    /** Reads a row. */
    interface Reader {
        void read(ResultSet row) throws SQLException;
    }

    /** A range of positions, with both bounds. */
    record Gap(long from, long to) {
        boolean isEmpty() {
            return from > to;
        }

        boolean contains(long position) {
            return from <= position && position <= to;
        }
    }

    /**
     * A table to read.
     *
     * @param columns the columns to read, of which the first is the position
     * @param name its name
     * @param position the integer column by which the table is ordered
     * @param first the first position that a row can have
     */
    record Table(String columns, String name, String position, long first) {
        private String sql(String order) {
            return "SELECT " + columns + " FROM " + name + " WHERE " + position + " BETWEEN ? AND ? ORDER BY "
                    + position + order;
        }
    }

    /**
     * Reads a table from both ends.
     *
     * @return where rows may be that could not be read; null if the table was read to its end
     */
    @Nullable
    Gap ends(Table table, Reader reader) {
        return shrink(table, new Gap(table.first(), Long.MAX_VALUE), reader);
    }

    /** Reads a gap from both ends, and returns what is left; null if it was read to its end. */
    private @Nullable Gap shrink(Table table, Gap gap, Reader reader) {
        long[] last = {gap.from() - 1};
        if (pass(table.sql(""), gap, last, reader)) {
            return null;
        }
        long from = Math.max(gap.from(), last[0] + 1);
        last[0] = gap.to();
        boolean[] any = {false};
        boolean whole = pass(table.sql(" DESC"), new Gap(from, gap.to()), last, row -> {
            any[0] = true;
            reader.read(row);
        });
        return whole ? null : new Gap(from, any[0] ? last[0] - 1 : gap.to());
    }

    /**
     * Looks for rows in a gap, in ever smaller parts, from its beginning.
     *
     * @return whether the whole gap was searched
     */
    boolean between(Table table, Gap gap, Reader reader) {
        Deque<Gap> left = new ArrayDeque<>(halves(gap));
        int parts = 0;
        while (!left.isEmpty()) {
            if (++parts > MOST_PARTS) {
                return false;
            }
            inspection.requireGoingOn();
            Gap rest = shrink(table, left.pop(), reader);
            if (rest != null && !rest.isEmpty() && rest.from() < rest.to()) {
                List<Gap> halves = halves(rest);
                left.push(halves.get(1));
                left.push(halves.get(0));
            }
        }
        return true;
    }

    private static List<Gap> halves(Gap gap) {
        long middle = gap.from() + (gap.to() - gap.from()) / 2;
        List<Gap> halves = new ArrayList<>(2);
        halves.add(new Gap(gap.from(), middle));
        halves.add(new Gap(Math.min(middle + 1, gap.to()), gap.to()));
        return halves;
    }

    /**
     * Reads the row at a position.
     *
     * @return whether that was possible, also if there is none
     */
    boolean at(Table table, long position, Reader reader) {
        return pass(table.sql(""), new Gap(position, position), new long[1], reader);
    }

    private boolean pass(String sql, Gap gap, long[] last, Reader reader) {
        return read(
                sql,
                row -> {
                    long position = row.getLong(1);
                    if (!gap.contains(position)) {
                        return; // of a damaged page
                    }
                    reader.read(row);
                    last[0] = position;
                },
                gap.from(),
                gap.to());
    }

    /**
     * Reads the rows of a query.
     *
     * @return whether it was read to its end; false if damage has stopped it
     */
    boolean read(String sql, Reader reader, long... numbers) {
        try {
            boolean unused = session.call(() -> session.watched(STEPS_PER_LOOK, inspection::goOn, () -> {
                Bound query = session.bind(sql);
                for (long number : numbers) {
                    query.number(number);
                }
                return query.until(row -> {
                    inspection.row();
                    reader.read(row);
                    return false;
                });
            }));
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
