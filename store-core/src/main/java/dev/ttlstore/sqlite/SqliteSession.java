package dev.ttlstore.sqlite;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.sqlite.Function;
import org.sqlite.SQLiteConfig;

import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreException;

/** A connection with its pragmas, transactions and checkpoints. Used by one thread at a time. */
final class SqliteSession implements AutoCloseable {

    static final String MEMORY = "jdbc:sqlite::memory:";

    /** How long to wait for another program that has opened the file, for a backup or by hand. */
    private static final int BUSY_MILLIS = 5_000;

    /** How long to wait for the other program that makes the checkpoints: it keeps writers out while it empties a long WAL. */
    private static final int CHECKPOINT_MILLIS = 30_000;

    /** What a session is used for, which determines its pragmas. */
    enum Role {
        WRITER,
        READER,
        MEMORY
    }

    private final Connection connection;
    private final SqliteErrors errors;
    private final Statements statements;
    private final SqliteReads reads;
    private final AgeIndex ages;

    private boolean inTransaction;
    private int busyMillis = BUSY_MILLIS;

    private SqliteSession(Connection connection, SqliteErrors errors) {
        this.connection = connection;
        this.errors = errors;
        this.statements = new Statements(connection, errors);
        this.reads = new SqliteReads(statements);
        this.ages = new AgeIndex(statements);
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

    Statements statements() {
        return statements;
    }

    SqliteReads reads() {
        return reads;
    }

    AgeIndex ages() {
        return ages;
    }

    SqliteErrors errors() {
        return errors;
    }

    /** Sets the pragmas, which apply to one connection only, and reads those back that a guarantee depends on. */
    void configure(Role role, SqliteSettings settings) {
        if (role != Role.MEMORY) {
            String synchronous = settings.asked().syncCommits() ? "2" : "1";
            // Readers see the last commit and never wait for the writer.
            require("journal_mode", "WAL", "wal");
            // In WAL mode 1 (normal) survives a killed process, 2 (full) waits for the disk at each commit.
            require("synchronous", synchronous, synchronous);
            // After a burst of writes, the WAL gives its room back.
            pragma("journal_size_limit = " + settings.options().walLimit);
            // The checkpointer does this, so that no commit has to.
            stopCheckpoints();
            busyMillis = settings.options().externalCheckpoints ? CHECKPOINT_MILLIS : BUSY_MILLIS;
            pragma("busy_timeout = " + busyMillis);
            pragma("cache_size = -" + settings.options().pageCacheSize / 1024);
            pragma("mmap_size = " + settings.options().mmapSize);
        }
        if (role == Role.READER) {
            require("query_only", "1", "1");
        } else {
            // Deleted data are overwritten, unless that costs another page write.
            require("secure_delete", "FAST", "2");
        }
        // Damage within a page is detected when the page is read.
        require("cell_size_check", "1", "1");
        // A foreign file must not run functions through its schema.
        require("trusted_schema", "0", "0");
        pragma("temp_store = MEMORY");
    }

    /** Stops the checkpoints that SQLite makes by itself at the end of a commit. */
    void stopCheckpoints() {
        pragma("wal_autocheckpoint = 0");
    }

    long pageSize() {
        return statements.pageSize();
    }

    /** Reads the whole file, and tests whether its pages are sound, its rows what their tables allow, and its indexes what the rows say. */
    boolean isIntact() {
        return "ok".equals(pragma("integrity_check(1)"));
    }

    /** Reads the whole file, and requires that its pages and their order are sound. */
    void requireSound() {
        String found = pragma("quick_check(1)");
        if (!"ok".equals(found)) {
            throw new StoreCorruptedException(
                    "The file " + errors.location() + " is damaged: " + found,
                    "Keep a copy of it, and restore a backup",
                    null);
        }
    }

    /** Returns how many pages the file has, including those in the WAL. */
    long pageCount() {
        return number("PRAGMA page_count");
    }

    /** Returns how many pages of the file have content, including those in the WAL. */
    long usedPages() {
        return pageCount() - freePages();
    }

    /** Returns how many pages of the file are free, including those in the WAL. */
    long freePages() {
        return number("PRAGMA freelist_count");
    }

    /** Returns the number that a query finds. */
    long number(String sql) {
        return call(() -> bind(sql).one(row -> row.getLong(1)));
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

    /** Gives free pages back, in one commit. The next checkpoint makes the file shorter. */
    void reclaim(int pages) {
        inTransaction(() -> {
            execute("PRAGMA incremental_vacuum(" + pages + ")"); // a prepared one would stop after the first page
            return true;
        });
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
        return call(() ->
                bind(mode.sql()).one(row -> new Checkpoint.Progress(row.getInt(1) != 0, row.getInt(2), row.getInt(3))));
    }

    /** Runs a pragma, and returns its first result, if there is one. */
    @Nullable
    String pragma(String text) {
        return statements.pragma(text);
    }

    private void require(String pragma, String value, String expected) {
        pragma(pragma + " = " + value);
        String actual = pragma(pragma);
        if (!expected.equals(actual)) {
            throw new StoreException("SQLite did not accept the setting " + pragma + " = " + value + " for the store "
                    + errors.location() + " (it says '" + actual + "'); is the file on an ordinary local disk?");
        }
    }

    /** Returns the statement for a text, with parameters that are bound in order. */
    BoundStatement bind(String sql) throws SQLException {
        return statements.bind(sql);
    }

    /** Runs a statement that is needed once. */
    void execute(String sql) {
        statements.execute(sql);
    }

    /** Runs reads in one snapshot. */
    <R extends @Nullable Object> R inSnapshot(Supplier<R> reads) {
        return inTransaction("BEGIN", reads);
    }

    /** Runs work in a transaction. Commits it when the work returns, and rolls it back when the work throws. */
    <R extends @Nullable Object> R inTransaction(Supplier<R> work) {
        return inTransaction("BEGIN IMMEDIATE", work);
    }

    private <R extends @Nullable Object> R inTransaction(String begin, Supplier<R> work) {
        inTransaction = true; // first, because an error may occur between the two
        try {
            call(() -> statements
                    .prepare(begin)
                    .executeUpdate()); // if an earlier one could not be rolled back, that happens now
            R answer = work.get();
            call(() -> statements.prepare("COMMIT").executeUpdate());
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
        statements.forget();
        if (inTransaction) {
            rollback();
        }
    }

    private void rollback() {
        try {
            statements.prepare("ROLLBACK").executeUpdate();
            inTransaction = false;
        } catch (SQLException e) {
            inTransaction = false;
            // If the disk is full or fails, SQLite ends the transaction itself, and then reports that there is none.
            // The original failure is on its way to the caller.
            errors.noteFailedRollback(e);
            statements.forget();
        }
    }

    /** Makes a call, and translates SQLite's exceptions. */
    <R extends @Nullable Object> R call(Statements.Call<R> call) {
        return statements.call(call);
    }

    /** Does something, and translates SQLite's exceptions. */
    void run(Statements.Action action) {
        statements.run(action);
    }

    /** Makes a call, during which SQLite asks from time to time whether to go on. If not, the call fails. */
    void watched(int stepsBetween, BooleanSupplier goOn, Statements.Action action) {
        run(() -> Statements.LongCall.run(connection, stepsBetween, goOn, action));
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
                statements.close();
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
