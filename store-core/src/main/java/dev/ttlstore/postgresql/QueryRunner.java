package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Runs queries: each on a connection of its own, or all in one transaction. */
interface QueryRunner {

    /** Creates an empty script. */
    Script script();

    /** Runs a script in one round trip. */
    void run(Script script);

    /** Runs a query, and reads all rows. */
    default <T> List<T> list(String query, Script.RowMapper<T> reading, @Nullable Object... parameters) {
        List<T> rows = new ArrayList<>();
        run(script().query(query, row -> rows.add(reading.of(row)), parameters));
        return rows;
    }

    /** Runs a query, and reads the first row; null if there is none. */
    default <T> @Nullable T first(String query, Script.RowMapper<T> reading, @Nullable Object... parameters) {
        List<T> rows = list(query, reading, parameters);
        return rows.isEmpty() ? null : rows.get(0);
    }

    /** Runs a query that has exactly one row, and reads it. */
    default <T> T one(String query, Script.RowMapper<T> reading, @Nullable Object... parameters) {
        return list(query, reading, parameters).get(0);
    }
}
