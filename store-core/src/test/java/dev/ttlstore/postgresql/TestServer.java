package dev.ttlstore.postgresql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * The one PostgreSQL server that the tests of a JVM share. It is started when it is first needed and stopped with the JVM. With
 * the system property {@code ttl-store.test.postgresql.url}, and {@code ….user} and {@code ….password}, the tests use another
 * server instead, which is neither started nor stopped. Each test works in a schema of its own. Thread-safe.
 */
public final class TestServer {

    private static final String PROPERTY = "ttl-store.test.postgresql.";

    /** As few as an application would have, so that a store which hogs or leaks connections shows. */
    private static final int SHARED_CONNECTIONS = 10;

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    /** The schemas that are not dropped yet. */
    private static final Set<String> STANDING = ConcurrentHashMap.newKeySet();

    /** The schemas that are no longer used. */
    private static final Queue<String> DONE = new ConcurrentLinkedQueue<>();

    private static final ExecutorService SWEEPER = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "sweep schemas");
        thread.setDaemon(true);
        return thread;
    });

    private TestServer() {}

    private static final class Started {
        static final @Nullable PrivateServer SERVER = startUnlessGiven();

        private static @Nullable PrivateServer startUnlessGiven() {
            if (isGiven()) {
                Runtime.getRuntime().addShutdownHook(new Thread(TestServer::dropAll, "drop schemas at exit"));
                return null;
            }
            try {
                return PrivateServer.create();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Shared {
        static final HikariDataSource POOL = TestServer.pool("shared", SHARED_CONNECTIONS);
    }

    /** Returns whether the tests run against a server that somebody else started. */
    public static boolean isGiven() {
        return System.getProperty(PROPERTY + "url") != null;
    }

    /** Locks all slots of a schema until the transaction of a statement ends. */
    static void lockSlots(Statement statement, String schema) throws SQLException {
        String lock = isDistributed()
                ? IntStream.range(0, 32)
                        .mapToObj(
                                slot -> "SELECT slot FROM \"" + schema + "\".slot WHERE slot = " + slot + " FOR UPDATE")
                        .collect(Collectors.joining(";"))
                : "SELECT slot FROM \"" + schema + "\".slot ORDER BY slot FOR UPDATE";
        boolean unused = statement.execute(lock);
    }

    /**
     * Tests whether somebody holds a slot of a schema, or waits for one. On Citus, it tells whether somebody holds or awaits one except in
     * a call of a function, or whether somebody waits for anything.
     */
    static boolean hasLock(String schema, boolean granted) throws SQLException {
        String table = '"' + schema + "\".slot";
        String waiting = isDistributed()
                ? "SELECT 1 FROM citus_lock_waits"
                : "SELECT 1 FROM pg_locks WHERE locktype = 'tuple' AND relation = '" + table + "'::regclass";
        String held = isDistributed()
                ? "SELECT 1 FROM pg_locks WHERE mode = 'RowShareLock' AND relation = '" + table + "'::regclass"
                : "SELECT 1 FROM " + table
                        + " s JOIN pg_locks l ON l.transactionid = s.xmax AND l.mode = 'ExclusiveLock'";
        String locks = granted ? held : waiting;
        try (Connection connection = pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(locks)) {
            return found.next();
        }
    }

    /** Returns whether the server can limit how long a transaction takes. */
    static boolean limitsTransactions() throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            return connection.getMetaData().getDatabaseMajorVersion() >= 17;
        }
    }

    /** Skips a test of how many round trips commits of several operations take: on Citus, these lock first. */
    static void assumeNoLockIsNeeded() {
        assumeFalse(isDistributed(), "commits of several operations lock first there");
    }

    /** Runs statements in a transaction that holds all slots of a schema. "@" stands for the schema. */
    static void commitUnderLock(String schema, String... texts) {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            lockSlots(statement, schema);
            for (String text : texts) {
                boolean unused = statement.execute(text.replace("@", '"' + schema + "\"."));
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Divides the table of entries into two parts, {@code entry_0} and {@code entry_1}. */
    static void partitionEntries(String schema) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE @parted (LIKE @entry INCLUDING CONSTRAINTS) PARTITION BY HASH (slot);
                    CREATE TABLE @entry_0 PARTITION OF @parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
                    CREATE TABLE @entry_1 PARTITION OF @parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
                    INSERT INTO @parted SELECT * FROM @entry;
                    DROP TABLE @entry;
                    ALTER TABLE @parted RENAME TO entry;
                    ALTER TABLE @entry ADD PRIMARY KEY (slot, grp, key);
                    CREATE INDEX entry_due ON @entry (slot, due_at, grp, key) WHERE due_at IS NOT NULL
                    """.replace("@", '"' + schema + "\"."));
        }
    }

    /** Returns whether stores distribute their tables on the server. */
    static boolean isDistributed() {
        if (!isGiven()) {
            return false;
        }
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT 1 FROM pg_extension WHERE extname = 'citus'")) {
            return result.next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Creates a data source that opens a connection whenever it is asked for one. Its role has no special rights, except on a
     * server that was given.
     */
    public static PGSimpleDataSource dataSource() {
        PrivateServer server = Started.SERVER;
        return server == null ? given() : server.dataSource();
    }

    /** Creates a data source for a role that may alter roles and end connections of others. */
    static PGSimpleDataSource admin() {
        PrivateServer server = Started.SERVER;
        return server == null ? given() : server.admin();
    }

    private static PGSimpleDataSource given() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(System.getProperty(PROPERTY + "url", ""));
        String user = System.getProperty(PROPERTY + "user");
        if (user != null) {
            source.setUser(user);
            source.setPassword(System.getProperty(PROPERTY + "password"));
        }
        return source;
    }

    /** Returns the pool that all tests share which do not say otherwise; it stays open. */
    public static DataSource pool() {
        return Shared.POOL;
    }

    /** Creates a pool, which the caller closes. */
    static HikariDataSource pool(String name, int size) {
        return pool(name, size, dataSource());
    }

    /** Creates a pool over a data source, such as one {@linkplain #through(Proxy) through a proxy}; the caller closes it. */
    static HikariDataSource pool(String name, int size, DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(10));
        // No connection when it is created: the server may be down by the test's will.
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** Creates a proxy in front of the server, which the caller closes. */
    static Proxy proxy() throws IOException {
        PGSimpleDataSource source = dataSource();
        String[] hosts = source.getServerNames();
        int[] ports = source.getPortNumbers();
        return new Proxy(hosts[0], ports == null || ports[0] == 0 ? 5432 : ports[0]);
    }

    /** Creates a data source that reaches the server through a proxy. */
    static PGSimpleDataSource through(Proxy proxy) {
        PGSimpleDataSource source = dataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {proxy.port()});
        source.setSslmode("disable");
        source.setGssEncMode("disable");
        return source;
    }

    /** Returns a name for a schema that does not exist, also not on a server that others use too. */
    public static String freshSchema() {
        for (String done = DONE.poll(); done != null; done = DONE.poll()) {
            String schema = done;
            later(() -> dropNow(schema));
        }
        String process = Long.toString(ProcessHandle.current().pid() * 1_000_003L + startMillis(), Character.MAX_RADIX);
        String schema = "t" + process + "_" + SCHEMAS.incrementAndGet();
        STANDING.add(schema);
        return schema;
    }

    /** Has something done in the background, after all that was given before. */
    static void later(Runnable task) {
        SWEEPER.execute(task);
    }

    /** Waits for what goes on in the background, whose transactions keep the server from removing old rows. */
    static void settle() throws Exception {
        Object unused = SWEEPER.submit(() -> {}).get(30, TimeUnit.SECONDS);
    }

    private static long startMillis() {
        return java.lang.management.ManagementFactory.getRuntimeMXBean().getStartTime();
    }

    /**
     * Has a schema dropped when the next test begins, because the stores of this one may be closed later. That happens in the
     * background: dropping some twenty tables takes as long as many a test.
     */
    public static void drop(String schema) {
        DONE.add(schema);
    }

    private static void dropNow(String schema) {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            // A store that a test left open must not stop the others from being dropped. What is set ends with the
            // transaction,
            // because a pooler would hand it on.
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL lock_timeout = '2s'");
            statement.execute("SET LOCAL client_min_messages = warning");
            statement.execute("DROP SCHEMA IF EXISTS \"" + schema + "\" CASCADE");
            connection.commit();
            STANDING.remove(schema);
        } catch (SQLException e) {
            // It goes with the server, or is tried again at the end.
            return;
        }
    }

    private static void dropAll() {
        SWEEPER.shutdownNow();
        Set.copyOf(STANDING).forEach(TestServer::dropNow);
    }

    /** Lets the server decide although it is near. */
    public static PostgreSql deciding(PostgreSql engine) {
        return engine.decisionNanos(1);
    }
}
