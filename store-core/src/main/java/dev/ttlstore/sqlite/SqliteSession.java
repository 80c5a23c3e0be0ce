package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.sqlite.Function;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;

import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.exception.StoreException;

/** A connection with its statements, pragmas, transactions and checkpoints. Translates SQLite's exceptions. Used by one thread at a time. */
final class SqliteSession implements AutoCloseable {

    static final String MEMORY = "jdbc:sqlite::memory:";

    /** How long to wait for another program that has opened the file, for a backup or by hand. */
    private static final int BUSY_MILLIS = 5_000;

    private final Connection connection;
    private final SqliteErrors errors;
    private final Map<String, SqliteStatement> prepared = new HashMap<>();
    private final SqliteReads reads;

    /** The groups whose writes keep the age index up to date. */
    private Set<String> agedGroups = Set.of();

    private boolean inTransaction;
    private int busyMillis = BUSY_MILLIS;

    private SqliteSession(Connection connection, SqliteErrors errors) {
        this.connection = connection;
        this.errors = errors;
        this.reads = new SqliteReads(this);
    }

    /** Opens a session without changing anything, because the file's contents must be checked first. */
    static SqliteSession open(String url, SqliteErrors errors) {
        return open(url, errors, session -> {});
    }

    /** Opens a session and sets it up. If that fails, the session is closed. */
    static SqliteSession open(String url, SqliteErrors errors, Consumer<SqliteSession> setUp) {
        try {
            Properties properties = new Properties();
            // The store has no triggers. One that somebody adds to an open file fails the statement that would run it.
            properties.setProperty(SQLiteConfig.Pragma.LIMIT_TRIGGER_DEPTH.pragmaName, "0");
            SQLiteConfig config = new SQLiteConfig(properties);
            config.setBusyTimeout(BUSY_MILLIS);
            config.setGetGeneratedKeys(false); // or the driver asks for a key, with a new statement, after each insert
            SqliteSession session = new SqliteSession(config.createConnection(url), errors);
            try {
                session.takeOverTransactions();
                NativeLibrary.requireSafe(session.version());
                setUp.accept(session);
                return session;
            } catch (RuntimeException | Error e) {
                session.close();
                throw e;
            }
        } catch (SQLException e) {
            throw errors.translate(e);
        } catch (LinkageError e) {
            throw NativeLibrary.notLinked(e);
        }
    }

    /**
     * Takes over transactions from the driver. The driver's autocommit starts and commits an empty transaction after
     * each statement to make sure that it is committed, which SQLite does not need. When autocommit is switched off,
     * the driver starts a transaction once, which is ended here.
     */
    private void takeOverTransactions() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("COMMIT");
            statement.execute("PRAGMA trusted_schema = 0"); // also for files that are only looked at
        }
    }

    SqliteReads reads() {
        return reads;
    }

    Set<String> agedGroups() {
        return agedGroups;
    }

    /** Sets the groups whose writes keep the age index up to date from now on. */
    void maintainAges(Set<String> groups) {
        agedGroups = Set.copyOf(groups);
    }

    SqliteErrors errors() {
        return errors;
    }

    /** Sets how long to wait for another program that has opened the file. */
    void waitFor(int millis) {
        busyMillis = millis;
        pragma("busy_timeout = " + millis);
    }

    /** Stops the checkpoints that SQLite makes by itself at the end of a commit. */
    void stopCheckpoints() {
        pragma("wal_autocheckpoint = 0");
    }

    long pageSize() {
        return pragmaNumber("page_size");
    }

    /** Returns how many pages the file has, including those in the WAL. */
    long pageCount() {
        return number("PRAGMA page_count");
    }

    /** Returns how many pages of the file are free, including those in the WAL. */
    long freePages() {
        return number("PRAGMA freelist_count");
    }

    /** Returns the number that a query finds. */
    long number(String sql) {
        return bind(sql).one(row -> row.getLong(1));
    }

    /** Asks for a new file whose free pages can be given back. Has no effect on a file that has tables. */
    void makeReclaimable() {
        if (!canReclaim()) {
            pragma("auto_vacuum = INCREMENTAL");
        }
    }

    /** Tests whether free pages of the file can be given back. */
    boolean canReclaim() {
        return "2".equals(pragma("auto_vacuum"));
    }

    /** Runs a checkpoint with {@link Checkpoint#RESTART} or {@link Checkpoint#TRUNCATE}. Others wait for it. */
    Checkpoint.Progress restartWal(Checkpoint mode, int patienceMillis) {
        pragma("busy_timeout = " + patienceMillis);
        try {
            return checkpoint(mode);
        } finally {
            pragma("busy_timeout = " + busyMillis);
        }
    }

    /** Runs a checkpoint. */
    Checkpoint.Progress checkpoint(Checkpoint mode) {
        return bind(mode.sql()).one(row -> new Checkpoint.Progress(row.getInt(1) != 0, row.getInt(2), row.getInt(3)));
    }

    /** Runs a pragma, and returns its first result, if there is one. */
    @Nullable
    String pragma(String text) {
        return this.<@Nullable String>call(() -> {
            try (Statement statement = statement()) {
                if (!statement.execute("PRAGMA " + text)) {
                    return null;
                }
                try (ResultSet result = statement.getResultSet()) {
                    return result.next() ? result.getString(1) : null;
                }
            }
        });
    }

    /** Returns the number that a pragma has. */
    long pragmaNumber(String name) {
        return Long.parseLong(Objects.requireNonNull(pragma(name), name));
    }

    /** Returns the statement for a text, and prepares it at first. Its parameters are bound in order. */
    SqliteStatement bind(String sql) {
        SqliteStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = call(() -> prepare(sql));
            prepared.put(sql, statement);
        }
        return statement.begin();
    }

    private SqliteStatement prepare(String sql) throws SQLException {
        requireRoom();
        return new SqliteStatement(connection.prepareStatement(sql), this::failed);
    }

    /** Runs a statement that is needed once. */
    void execute(String sql) {
        run(() -> {
            try (Statement statement = statement()) {
                statement.executeUpdate(sql);
            }
        });
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

    /** Runs reads in one snapshot. */
    <R extends @Nullable Object> R inSnapshot(Supplier<R> reads) {
        return inTransaction("BEGIN", reads);
    }

    /** Runs work without an answer in a transaction, as {@link #inTransaction} does. */
    void commit(Runnable work) {
        boolean unused = inTransaction(() -> {
            work.run();
            return true;
        });
    }

    /** Runs work in a transaction. Commits it when the work returns, and rolls it back when the work throws. */
    <R extends @Nullable Object> R inTransaction(Supplier<R> work) {
        return inTransaction("BEGIN IMMEDIATE", work);
    }

    private <R extends @Nullable Object> R inTransaction(String begin, Supplier<R> work) {
        inTransaction = true; // first, because an error may occur between the two
        try {
            bind(begin).update(); // if an earlier one could not be rolled back, that happens now
            R answer = work.get();
            bind("COMMIT").update();
            inTransaction = false;
            return answer;
        } finally {
            if (inTransaction) {
                rollback();
            }
        }
    }

    /**
     * Repairs a session after an error, such as a stack overflow or a lack of memory, has left it in the middle of
     * something.
     */
    void recover() {
        forget();
        if (inTransaction) {
            rollback();
        }
    }

    private void rollback() {
        try {
            bind("ROLLBACK").update();
            inTransaction = false;
        } catch (StoreException e) {
            inTransaction = false;
            // If the disk is full or fails, SQLite ends the transaction itself, and then reports that there is none.
            // The original failure is on its way to the caller.
            errors.noteFailedRollback(e);
        }
    }

    /** Something that is done with the driver. */
    private interface Call<R extends @Nullable Object> {
        R run() throws SQLException;
    }

    private <R extends @Nullable Object> R call(Call<R> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** The same without an answer. */
    private interface Action {
        void run() throws SQLException;
    }

    private void run(Action action) {
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
    private void forget() {
        Headroom.require(); // or the driver may keep a statement that SQLite has released
        for (SqliteStatement statement : prepared.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                errors.noteFailedClose(e);
            }
        }
        prepared.clear();
    }

    /** Does something, during which SQLite asks from time to time whether to go on. If not, it fails. */
    void watched(BooleanSupplier goOn, Runnable work) {
        run(() -> Watched.run(connection, goOn, work));
    }

    /** A class of its own, so that the others can be loaded without the driver, to say that it is missing. */
    private static final class Watched extends ProgressHandler {

        /** How many steps SQLite makes between two looks: some milliseconds. */
        private static final int STEPS_PER_LOOK = 20_000;

        private final BooleanSupplier goOn;

        private Watched(BooleanSupplier goOn) {
            this.goOn = goOn;
        }

        private static void run(Connection connection, BooleanSupplier goOn, Runnable work) throws SQLException {
            ProgressHandler.setHandler(connection, STEPS_PER_LOOK, new Watched(goOn));
            try {
                work.run();
            } finally {
                ProgressHandler.clearHandler(connection);
            }
        }

        @Override
        protected int progress() {
            return goOn.getAsBoolean() ? 0 : 1;
        }
    }

    /** Does something, during which SQL can use a function. */
    void withFunction(String name, Function function, Runnable action) {
        run(() -> {
            Function.create(connection, name, function);
            try {
                action.run();
            } finally {
                Function.destroy(connection, name);
            }
        });
    }

    /**
     * Returns SQLite's version. Asks the library, because a statement would read the file, which may not be a
     * database.
     */
    String version() {
        return call(() -> connection.getMetaData().getDatabaseProductVersion());
    }

    @Override
    public void close() {
        run(() -> {
            try {
                for (SqliteStatement statement : prepared.values()) {
                    statement.close();
                }
                prepared.clear();
            } finally {
                closeConnection();
            }
        });
    }

    /** SQLite does not close while it has a statement that an error has hidden from the driver. Everything is on the disk by then. */
    private void closeConnection() {
        try {
            connection.close();
        } catch (SQLException e) {
            errors.noteUnclosed(e);
        }
    }
}
