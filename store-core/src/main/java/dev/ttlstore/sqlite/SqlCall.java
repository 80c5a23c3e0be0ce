package dev.ttlstore.sqlite;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/** A call of SQLite within a unit of work. */
interface SqlCall<R extends @Nullable Object> {
    R run() throws SQLException;
}
