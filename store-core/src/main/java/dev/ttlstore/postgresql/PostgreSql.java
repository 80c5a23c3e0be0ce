package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

import javax.sql.DataSource;

import dev.ttlstore.engine.CopySource;
import dev.ttlstore.engine.CopyTarget;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.transaction.ApplicationTransactions;

/**
 * The shared engine: PostgreSQL 14 or later, for applications with several instances. All instances open the same
 * schema and see the same entries.
 *
 * <pre>{@code
 * Store store = Store.builder()
 *         .engine(PostgreSql.on(dataSource).schema("ttl_store"))
 *         .open();
 * }</pre>
 *
 * <p>The data source should be a pool of five connections or more. The store borrows one for each call, two for a
 * transaction, and now and then one for its background threads. It keeps one to {@linkplain #notifications listen}. It
 * never closes the data source. Set {@code socketTimeout} in the URL: without it, a call waits for ever if the server
 * or the network stays silent and does not close the connection. Entries expire by the server's time. For tests, a
 * clock of the store's builder that is not a system clock replaces the server's time.
 *
 * <p>Each method returns a copy with another setting. Immutable.
 *
 * @since 0.1
 * @see dev.ttlstore.StoreBuilder#engine
 * @see dev.ttlstore.transaction.ApplicationTransactions
 * @see dev.ttlstore.sqlite.Sqlite
 */
public final class PostgreSql implements EngineFactory {

    private static final int MAX_NAME_BYTES = 63;

    private static final Duration LEAST_KEPT = Duration.ofMinutes(1);

    private static final Duration MOST_KEPT = Duration.ofDays(7);

    private static final int MOST_COMMITS = 64;

    private final PostgreSqlSettings settings;

    private PostgreSql(PostgreSqlSettings settings) {
        this.settings = settings;
    }

    private PostgreSql with(Consumer<PostgreSqlSettings> change) {
        PostgreSqlSettings changed = settings.copy();
        change.accept(changed);
        return new PostgreSql(changed);
    }

    /**
     * Keeps the store in a database.
     *
     * @param dataSource hands out connections to the primary server, of the same database whichever thread asks, because one thread
     *     commits for many; its role needs no superuser rights
     * @return the engine, with default settings
     */
    public static PostgreSql on(DataSource dataSource) {
        Objects.requireNonNull(dataSource, "'dataSource' must not be null");
        return new PostgreSql(new PostgreSqlSettings(dataSource));
    }

    /**
     * Sets the schema that holds the tables. Stores in different schemas share nothing.
     *
     * @param name its name, 1 to 63 bytes of UTF-8 without control characters, line separators, '@', '?', '{' and '\'; {@code
     *     ttl_store} by default
     * @return a copy with this setting
     * @throws IllegalArgumentException if the name is too long or empty, or contains one of these
     */
    public PostgreSql schema(String name) {
        Objects.requireNonNull(name, "'name' must not be null");
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > MAX_NAME_BYTES || name.chars().anyMatch(PostgreSql::isRefused)) {
            throw new IllegalArgumentException(
                    "'name' must be 1 to 63 bytes, without control characters, line separators, '@', '?', '{' and '\\'");
        }
        return with(changed -> changed.schema = name);
    }

    /** Tests for what would end a line of a script or of a log, or mean something in the texts of statements. */
    private static boolean isRefused(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || "@?{\\".indexOf(c) >= 0;
    }

    /**
     * Sets whether opening creates the schema and its tables if they are missing. The first instance that starts does it, and
     * the others wait. Turn it off if the role of the application may not create tables: an administrator then applies the file
     * {@code dev/ttlstore/postgresql/schema.sql} from the jar, and {@code functions.sql} beside it, and opening only checks what is there.
     *
     * @param create whether to create what is missing; true by default
     * @return a copy with this setting
     */
    public PostgreSql initializeSchema(boolean create) {
        return with(changed -> changed.initialize = create);
    }

    /**
     * Sets how long the log keeps the changes of entries. An instance that was stopped or cut off for longer reports a
     * gap to its watches. Each change takes about 100 bytes plus the key. If instances have different times, the
     * shortest counts.
     *
     * @param time from one minute to seven days; five minutes by default
     * @return a copy with this setting
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public PostgreSql keptChanges(Duration time) {
        Objects.requireNonNull(time, "'time' must not be null");
        if (time.compareTo(LEAST_KEPT) < 0 || time.compareTo(MOST_KEPT) > 0) {
            throw new IllegalArgumentException("'time' must be from 1 minute to 7 days, but is " + time);
        }
        return with(changed -> changed.kept = time);
    }

    /**
     * Sets how many commits of this instance may be under way at the same time. Callers share a commit, so few of them go far: the next one is
     * sent while the answer to the last one is on its way. Each takes a connection meanwhile, so a smaller pool needs a smaller number.
     *
     * @param commits from 1 to 64; 4 by default
     * @return a copy with this setting
     * @throws IllegalArgumentException if the number is out of bounds
     */
    public PostgreSql commitsInFlight(int commits) {
        if (commits < 1 || commits > MOST_COMMITS) {
            throw new IllegalArgumentException("'commits' must be from 1 to " + MOST_COMMITS + ", but is " + commits);
        }
        return with(changed -> changed.commits = commits);
    }

    /**
     * Sets whether this instance listens to notifications ({@code LISTEN}) of the others' commits. It then sees them
     * within some milliseconds, and looks for them only twice per second when nothing happens. Otherwise it looks every
     * 20 ms. It also does so where notifications do not work: behind a pooler in transaction mode, on a standby, or
     * with another driver. An instance that does not listen still notifies those that do.
     *
     * <p>Listening keeps one connection of the pool for as long as the store is open. If the pool has no other connection left,
     * the instance gives it back. A pool that reports leaked connections reports this one.
     *
     * @param listen whether to listen; true by default
     * @return a copy with this setting
     */
    public PostgreSql notifications(boolean listen) {
        return with(changed -> changed.notifications = listen);
    }

    /**
     * Sets whether new tables are distributed over several servers, in a database with the extension Citus. All rows of
     * a group, and all groups of a scope, stay on one server, because the tables are distributed by slot. Existing
     * tables stay as they are. The setting has no effect without Citus.
     *
     * @param bySlot whether to distribute new tables; true by default
     * @return a copy with this setting
     */
    public PostgreSql distributed(boolean bySlot) {
        return with(changed -> changed.distribute = bySlot);
    }

    /**
     * Lets the store join the application's transactions on the data source. The reads and writes of a thread in a
     * transaction belong to the transaction. The thread sees its own writes. The store's writes commit or roll back
     * with the transaction, and others see them and their events only after the commit.
     *
     * <p>The store sends the writes shortly before the commit, and takes locks only then. If the transaction's writes
     * depend on entries that somebody else has changed meanwhile, it fails with a {@link
     * dev.ttlstore.exception.TransactionConflictException}. Unlike {@code transact}, the store cannot run it again.
     * Entries that the transaction only reads are not checked. The isolation must be {@code READ COMMITTED}, unless the
     * transaction only reads. The store's time stands still from the first use in a transaction. A write in a
     * transaction returns a provisional version: read the entry after the commit to get the final one. The store
     * refuses asynchronous writes.
     *
     * @param current finds the transaction of a thread
     * @return a copy with this setting
     */
    public PostgreSql joining(ApplicationTransactions current) {
        Objects.requireNonNull(current, "'current' must not be null");
        return with(changed -> changed.transactions = current);
    }

    /** Returns a copy with other limits. */
    PostgreSql timeouts(Timeouts others) {
        return with(changed -> changed.timeouts = others);
    }

    /** Returns a copy with another pace. */
    PostgreSql intervals(PostgreSqlSettings.Intervals other) {
        return with(changed -> changed.intervals = other);
    }

    /** Returns a copy that takes the server to need so much longer to decide an operation; at least 1 nanosecond. */
    PostgreSql decisionNanos(long nanos) {
        return with(changed -> changed.decisionNanos = nanos);
    }

    PostgreSqlSettings settings() {
        return settings;
    }

    @Override
    public Engine open(EngineSettings common) {
        return open(common, TableCheck.Use.STORE);
    }

    @Override
    public CopySource openSource(EngineSettings common) {
        return new PostgreSqlCopy(open(common, TableCheck.Use.SOURCE), settings.schema);
    }

    @Override
    public CopyTarget openTarget(EngineSettings common) {
        return new PostgreSqlCopy(open(common, TableCheck.Use.TARGET), settings.schema);
    }

    private PostgreSqlEngine open(EngineSettings common, TableCheck.Use use) {
        return new PostgreSqlEngine(settings, common, use);
    }

    /** Returns a text for people, without the address of the server. */
    @Override
    public String toString() {
        return "PostgreSql[schema=" + settings.schema + ", initializeSchema=" + settings.initialize
                + ", keptChanges=" + settings.kept + ", notifications=" + settings.notifications
                + ", distributed=" + settings.distribute + ", commitsInFlight=" + settings.commits + "]";
    }
}
