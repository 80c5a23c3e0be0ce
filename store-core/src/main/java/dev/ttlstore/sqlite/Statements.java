package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;
import org.sqlite.core.CoreResultSet;

import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.exception.StoreException;

/**
 * The statements of a connection: prepares them, and translates the failures of calls that run them. Used by one thread at a time.
 */
final class Statements {

    /** A call of SQLite within a unit of work. */
    interface Call<R extends @Nullable Object> {
        R run() throws SQLException;
    }

    /** What is done with SQLite. */
    interface Action {
        void run() throws SQLException;
    }

    private final Connection connection;
    private final SqliteErrors errors;
    private final Map<String, Prepared> prepared = new HashMap<>();

    Statements(Connection connection, SqliteErrors errors) {
        this.connection = connection;
        this.errors = errors;
    }

    /** Runs a pragma, and returns its first result, if there is one. */
    @Nullable
    String pragma(String text) {
        return this.<@Nullable String>call(() -> firstAnswer("PRAGMA " + text));
    }

    private @Nullable String firstAnswer(String sql) throws SQLException {
        try (Statement statement = statement()) {
            if (!statement.execute(sql)) {
                return null;
            }
            try (ResultSet result = statement.getResultSet()) {
                return result.next() ? result.getString(1) : null;
            }
        }
    }

    long pageSize() {
        return Long.parseLong(Objects.requireNonNull(pragma("page_size"), "page_size"));
    }

    /** Returns the statement for a text, and prepares it at first. */
    PreparedStatement prepare(String sql) throws SQLException {
        return prepared(sql).statement();
    }

    /** Returns the statement for a text, with parameters that are bound in order. */
    BoundStatement bind(String sql) throws SQLException {
        return new BoundStatement(prepare(sql));
    }

    /** Returns the statement for a text of a short and frequent query. */
    Prepared prepared(String sql) throws SQLException {
        Prepared statement = prepared.get(sql);
        if (statement == null) {
            requireRoom();
            statement = new Prepared(connection.prepareStatement(sql));
            prepared.put(sql, statement);
        }
        return statement;
    }

    /** Returns a statement that is prepared when it runs. */
    private Statement statement() throws SQLException {
        requireRoom();
        return connection.createStatement();
    }

    /** Or SQLite may have a statement unknown to the driver, and then cannot be closed. */
    private static void requireRoom() {
        Headroom.require();
        Headroom.requireMemory();
    }

    /** Runs a statement that is needed once. */
    void execute(String sql) {
        run(() -> {
            try (Statement statement = statement()) {
                statement.executeUpdate(sql);
            }
        });
    }

    /** Makes a call, and translates SQLite's exceptions. */
    <R extends @Nullable Object> R call(Call<R> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Does something, and translates SQLite's exceptions. */
    void run(Action action) {
        try {
            action.run();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Handles a failure, and translates it. */
    StoreException failed(SQLException e) {
        forget();
        return SqliteErrors.isShortRead(e) && logIsWhole() ? errors.failedDisk(e) : errors.translate(e);
    }

    /**
     * Tests whether the WAL has all the pages that it should have. If it has, the disk has failed in a read that came
     * back short.
     */
    private boolean logIsWhole() {
        try (Statement statement = statement();
                ResultSet result = statement.executeQuery("PRAGMA wal_checkpoint(NOOP)")) {
            result.next();
            long frames = result.getInt(2);
            return frames > 0 && Files.size(Path.of(errors.location() + "-wal")) >= frames * pageSize();
        } catch (SQLException | IOException e) {
            errors.noteUnknownLog(e);
            return false;
        }
    }

    /**
     * Closes all statements, so that they are prepared again. The driver closes a statement that fails because of a
     * full disk or damage, which cannot be seen from outside, and such a statement would fail at every later use.
     */
    void forget() {
        Headroom.require(); // or the driver may keep a statement that SQLite has released
        for (Prepared statement : prepared.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                errors.noteFailedClose(e);
            }
        }
        prepared.clear();
    }

    /** Closes all statements. */
    void close() throws SQLException {
        for (Prepared statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }

    /**
     * A statement that is prepared once and run often. Used by one thread at a time.
     *
     * <p>For each run of a query, the driver asks SQLite for the column names, one by one, and forgets them afterwards.
     * For the read of one row, that is a sixth of the time and a third of the garbage, and no code here uses names. So
     * this class keeps the names of the first run, and puts them where the driver looks before it asks.
     */
    static final class Prepared implements AutoCloseable {

        private final PreparedStatement statement;

        /** The driver has one result per statement, and returns it for each run; null before the first run. */
        private @Nullable CoreResultSet result;

        private String @Nullable [] columns;

        Prepared(PreparedStatement statement) {
            this.statement = statement;
        }

        PreparedStatement statement() {
            return statement;
        }

        /** Runs a query with the bound parameters. */
        ResultSet query() throws SQLException {
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

    /**
     * A call during which SQLite asks from time to time whether to go on. A class of its own, so that the others can be loaded
     * without the driver, to say that it is missing.
     */
    static final class LongCall extends ProgressHandler {

        private final BooleanSupplier goOn;

        private LongCall(BooleanSupplier goOn) {
            this.goOn = goOn;
        }

        static void run(Connection connection, int stepsBetween, BooleanSupplier goOn, Action action)
                throws SQLException {
            ProgressHandler.setHandler(connection, stepsBetween, new LongCall(goOn));
            try {
                action.run();
            } finally {
                ProgressHandler.clearHandler(connection);
            }
        }

        @Override
        protected int progress() {
            return goOn.getAsBoolean() ? 0 : 1;
        }
    }
}
