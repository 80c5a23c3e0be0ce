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
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteJDBCLoader;

import dev.ttlstore.engine.support.Headroom;
import dev.ttlstore.exception.StoreEngineException;
import dev.ttlstore.exception.StoreException;

/** A connection with its pragmas and the statements that it has prepared. Used by one thread at a time. */
final class SqliteSession implements AutoCloseable {

    static final String MEMORY = "jdbc:sqlite::memory:";

    /** Another program may look into the file, for a backup or by hand; that long we wait for it. */
    private static final int BUSY_MILLIS = 5_000;

    /** What a session is for, and with that its pragmas. */
    enum Role {
        WRITER,
        READER,
        MEMORY
    }

    private final Connection connection;
    private final SqliteErrors errors;
    private final Map<String, Prepared> prepared = new HashMap<>();
    private boolean inTransaction;
    private final SqliteReads reads = new SqliteReads(this);
    private final SqliteDeliveries deliveries = new SqliteDeliveries(this);

    private SqliteSession(Connection connection, SqliteErrors errors) {
        this.connection = connection;
        this.errors = errors;
    }

    /** Opens a session that changes nothing yet: what is in the file has still to be checked. */
    static SqliteSession open(String url, SqliteErrors errors) {
        try {
            SQLiteConfig config = new SQLiteConfig();
            config.setBusyTimeout(BUSY_MILLIS);
            config.setGetGeneratedKeys(false); // or the driver asks for one, with a new statement, after each insert
            SqliteSession session = new SqliteSession(config.createConnection(url), errors);
            try {
                session.takeOverTransactions();
                SqliteVersion.requireSafe(session.version());
                return session;
            } catch (RuntimeException | Error e) {
                session.close();
                throw e;
            }
        } catch (SQLException e) {
            throw errors.translate(e);
        } catch (LinkageError e) {
            throw notLinked(e);
        }
    }

    /** What the driver lacks: itself, a method that a later version has, or its native library. */
    static StoreEngineException notLinked(LinkageError e) {
        if (e instanceof NoClassDefFoundError) {
            return new StoreEngineException(
                    "SQLite's driver cannot be found or started",
                    "Add org.xerial:sqlite-jdbc to the class path if it is missing",
                    e);
        }
        return e instanceof IncompatibleClassChangeError
                ? SqliteVersion.tooOld(SQLiteJDBCLoader.getVersion(), e)
                : NativeLibrary.notLoaded(e);
    }

    /**
     * The driver's autocommit begins and commits an empty transaction after each statement, to be sure that it is
     * committed; SQLite itself does without. Told that it is off, the driver begins a transaction once, which is ended here.
     */
    private void takeOverTransactions() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("COMMIT");
        }
    }

    SqliteReads reads() {
        return reads;
    }

    SqliteDeliveries deliveries() {
        return deliveries;
    }

    SqliteErrors errors() {
        return errors;
    }

    /** Sets the pragmas, which hold for one connection only, and reads back those that a promise hangs on. */
    void configure(Role role, SqliteSettings settings) {
        if (role != Role.MEMORY) {
            String synchronous = settings.syncCommits() ? "2" : "1";
            // Readers see the last commit and never wait for the writer.
            require("journal_mode", "WAL", "wal");
            // In WAL mode 1 (normal) survives a killed process, 2 (full) waits for the disk at each commit.
            require("synchronous", synchronous, synchronous);
            // After a burst the WAL gives its space back.
            pragma("journal_size_limit = " + settings.walLimit());
            // The checkpointer sees to it, rather than whoever happens to commit.
            pragma("wal_autocheckpoint = 0");
            pragma("cache_size = -" + settings.pageCacheSize() / 1024);
            pragma("mmap_size = " + settings.mmapSize());
        }
        if (role == Role.READER) {
            require("query_only", "1", "1");
        } else {
            // What is deleted is overwritten, as long as that costs no further page.
            require("secure_delete", "FAST", "2");
        }
        // Damage within a page is noticed when the page is read.
        require("cell_size_check", "1", "1");
        // A file from elsewhere must not run functions by its schema.
        require("trusted_schema", "0", "0");
        pragma("temp_store = MEMORY");
    }

    long pageSize() {
        return Long.parseLong(Objects.requireNonNull(pragma("page_size"), "page_size"));
    }

    /** How many pages the WAL may hold before its writer folds it. */
    int maxFrames(SqliteSettings settings) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, settings.walLimit() / pageSize()));
    }

    /** Ways to look after the WAL. */
    enum Checkpoint {
        /** Only tells how long it is. */
        NOOP,
        /** Copies what no reader needs any more, and waits for nobody. */
        PASSIVE,
        /** Copies all, and waits, for a time, until no reader needs the WAL any more, so that it begins anew. */
        RESTART,
        /** As RESTART, and gives back the room that the WAL takes. */
        TRUNCATE;

        private final String sql = "PRAGMA wal_checkpoint(" + this + ")";
    }

    /** How many pages the file has, with those that are in the WAL. */
    long pageCount() {
        return call(() -> {
            try (ResultSet result = prepare("PRAGMA page_count").executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        });
    }

    /** As {@link Checkpoint#RESTART} or {@link Checkpoint#TRUNCATE}, for which others wait meanwhile. */
    Checkpointer.Progress restartWal(Checkpoint mode, int patienceMillis) {
        pragma("busy_timeout = " + patienceMillis);
        try {
            return checkpoint(mode);
        } finally {
            pragma("busy_timeout = " + BUSY_MILLIS);
        }
    }

    /** Copies from the WAL into the file. */
    Checkpointer.Progress checkpoint(Checkpoint mode) {
        return call(() -> {
            try (ResultSet result = prepare(mode.sql).executeQuery()) {
                result.next();
                return new Checkpointer.Progress(result.getInt(1) != 0, result.getInt(2), result.getInt(3));
            }
        });
    }

    /** Runs a pragma, and returns the first thing that it answers. */
    @Nullable
    String pragma(String text) {
        return this.<@Nullable String>call(() -> firstAnswer("PRAGMA " + text));
    }

    private @Nullable String firstAnswer(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return null;
            }
            try (ResultSet result = statement.getResultSet()) {
                return result.next() ? result.getString(1) : null;
            }
        }
    }

    private void require(String pragma, String value, String expected) {
        pragma(pragma + " = " + value);
        String actual = pragma(pragma);
        if (!expected.equals(actual)) {
            throw new StoreException("SQLite did not accept the setting " + pragma + " = " + value + " for the store "
                    + errors.location() + " (it says '" + actual + "'); is the file on an ordinary local disk?");
        }
    }

    /** The statement for a text, prepared when it is first asked for. */
    PreparedStatement prepare(String sql) throws SQLException {
        return prepared(sql).statement();
    }

    /** The same, to bind its parameters in order. */
    Bound bind(String sql) throws SQLException {
        return new Bound(prepare(sql));
    }

    /** The same, for a query that is short and frequent. */
    Prepared prepared(String sql) throws SQLException {
        Prepared statement = prepared.get(sql);
        if (statement == null) {
            Headroom.require(); // or SQLite may have a statement of which the driver does not know
            statement = new Prepared(connection.prepareStatement(sql));
            prepared.put(sql, statement);
        }
        return statement;
    }

    /** Runs statements that are needed once. */
    void execute(String sql) {
        call(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(sql);
                return true;
            }
        });
    }

    /** Runs reads that see one moment. */
    <R extends @Nullable Object> R inSnapshot(Supplier<R> reads) {
        return inTransaction("BEGIN", reads);
    }

    /** Runs work in a transaction, which is committed when it returns and rolled back when it throws. */
    <R extends @Nullable Object> R inTransaction(Supplier<R> work) {
        return inTransaction("BEGIN IMMEDIATE", work);
    }

    private <R extends @Nullable Object> R inTransaction(String begin, Supplier<R> work) {
        inTransaction = true; // first: an error may come between the two
        call(() -> prepare(begin).executeUpdate());
        try {
            R answer = work.get();
            call(() -> prepare("COMMIT").executeUpdate());
            inTransaction = false;
            return answer;
        } finally {
            if (inTransaction) {
                rollback();
            }
        }
    }

    /** Puts a session in order that an error, of stack or of memory, has left in the middle of something. */
    void recover() {
        forgetStatements();
        if (inTransaction) {
            rollback();
        }
    }

    private void rollback() {
        try {
            prepare("ROLLBACK").executeUpdate();
            inTransaction = false;
        } catch (SQLException e) {
            inTransaction = false;
            // SQLite ends the transaction itself when the disk is full or fails, and then says that there is none. The
            // failure that brought us here is on its way to the caller.
            errors.noteFailedRollback(e);
            forgetStatements();
        }
    }

    /** Access to SQLite within a unit of work. */
    interface SqlCall<R extends @Nullable Object> {
        R run() throws SQLException;
    }

    /** Makes a call; what SQLite throws is translated. */
    <R extends @Nullable Object> R call(SqlCall<R> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Takes note of a failure, and translates it. */
    StoreException failed(SQLException e) {
        forgetStatements();
        return SqliteErrors.isShortRead(e) && logIsWhole() ? errors.failedDisk(e) : errors.translate(e);
    }

    /** Whether the log has all the pages that it should have, so that a read of it that came short was the disk's failure. */
    private boolean logIsWhole() {
        try (Statement statement = connection.createStatement();
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
     * The driver closes a statement that fails, for want of room or by damage, and it cannot be seen from outside: used
     * again it would fail for good. So after a failure all are prepared anew.
     */
    private void forgetStatements() {
        Headroom.require(); // or the driver may keep a statement that SQLite has let go
        for (Prepared statement : prepared.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                errors.noteFailedClose(e);
            }
        }
        prepared.clear();
    }

    /** SQLite's own version, asked of the library: a statement would read the file, which may be no database. */
    String version() {
        return call(() -> connection.getMetaData().getDatabaseProductVersion());
    }

    @Override
    public void close() {
        call(() -> {
            try {
                for (Prepared statement : prepared.values()) {
                    statement.close();
                }
                prepared.clear();
            } finally {
                connection.close();
            }
            return true;
        });
    }
}
