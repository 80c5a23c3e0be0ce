package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

/** The stores of a test, all on one schema, and what is between them and the server. Closing it closes them. */
final class Nodes implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** What a trap waits for that waits for a COMMIT, and not for READ COMMITTED: the text with its end. */
    static final String COMMIT = "COMMIT\0";

    /** What a trap waits for that waits for the lock of a slot. */
    static final String LOCK = ".slot s WHERE s.slot";

    /** Short, so that a test of a limit takes no longer. */
    static final Timeouts LIMITS = new Timeouts(Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofSeconds(5));

    /** How long a pool waits for a connection where a server is away. */
    private static final Duration SOON = Duration.ofMillis(500);

    /** How long it waits elsewhere, also on a busy machine. */
    private static final Duration LATER = Duration.ofSeconds(10);

    private final String schema;
    private final boolean again;
    private final Deque<Opened> open = new ArrayDeque<>();

    /** What is closed at the end. */
    private interface Opened {
        void close() throws IOException;
    }

    /** Uses a schema that another test may use afterwards, so its tables must stay what they are. */
    Nodes() {
        this(ReadySchemas.take(), true);
    }

    /** Uses a schema whose tables a test may change, or one that exists on a copy of the server. */
    Nodes(String schema) {
        this(schema, false);
    }

    private Nodes(String schema, boolean again) {
        this.schema = schema;
        this.again = again;
    }

    String schema() {
        return schema;
    }

    /** Creates what the commits and reads of a node share, without an engine. */
    NodeContext node(InstantSource clock) {
        return node(TestServer.pool(), clock);
    }

    /** Creates that with a data source of its own. */
    NodeContext node(DataSource source, InstantSource clock) {
        Slots slots = new Slots(32);
        Connections connections = new Connections(source, sql(clock), LIMITS);
        return new NodeContext(
                UUID.randomUUID(),
                connections,
                slots,
                LIMITS,
                new ServerClock(clock),
                new LogCursor(slots),
                new CrowdedSlots(),
                new Timelines(connections, LIMITS, slots),
                new FinalTimes(connections, LIMITS, slots));
    }

    /** Returns the intervals of a node that does not look at the log by itself. */
    static Intervals neverLooking() {
        Intervals never = new Intervals();
        never.look = Duration.ofHours(1);
        never.net = Duration.ofHours(1);
        return never;
    }

    /** Creates the statements of a node. */
    Sql sql(InstantSource clock) {
        Sql sql = new Sql(schema, clock);
        sql.distributed(TestServer.isDistributed());
        return sql;
    }

    /** What a trap waits for that waits for a commit that the server decides. */
    String storing() {
        return '"' + schema + "\".apply_";
    }

    /** Locks all slots until the transaction of a statement ends. */
    void lockSlots(Statement statement) throws SQLException {
        TestServer.lockSlots(statement, schema);
    }

    /** Opens a store that has a pool of the server's for itself. */
    Store open() {
        return open(pool(4, TestServer.dataSource()));
    }

    Store open(DataSource source) {
        return open(source, LIMITS);
    }

    /** Opens a store in which nothing happens by itself. */
    Store open(DataSource source, Timeouts timeouts) {
        return open(PostgreSql.on(source).timeouts(timeouts));
    }

    /** Opens a store that looks for commits of others. It keeps no connection, and commits nothing by itself. */
    Store openLooking(DataSource source) {
        return openLooking(source, LIMITS);
    }

    /** Opens a store that looks for commits of others, with other limits. */
    Store openLooking(DataSource source, Timeouts timeouts) {
        return open(PostgreSql.on(source).timeouts(timeouts).notifications(false));
    }

    /** Opens a store with an engine, whose schema is that of the nodes. The server decides although it is near. */
    Store open(PostgreSql engine) {
        return open(engine, builder -> {});
    }

    /** Opens a store with further settings. */
    Store open(PostgreSql engine, Consumer<StoreBuilder> settings) {
        StoreBuilder builder = Store.builder()
                .engine(TestServer.deciding(engine.schema(schema)))
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .closeTimeout(Duration.ofSeconds(2));
        settings.accept(builder);
        Store store = builder.open();
        open.push(store::close);
        return store;
    }

    HikariDataSource pool(int size, DataSource source) {
        return pool(size, source, LATER);
    }

    /** Creates a pool that soon says that it has nothing left, for a server that goes away. */
    HikariDataSource hastyPool(int size, DataSource source) {
        return pool(size, source, SOON);
    }

    /** Creates a pool that says after some time that it has nothing left. */
    HikariDataSource pool(int size, DataSource source, Duration connectionTimeout) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(connectionTimeout.toMillis());
        config.setInitializationFailTimeout(-1);
        return pool(config);
    }

    /** Creates a pool with certain settings. */
    HikariDataSource pool(HikariConfig config) {
        HikariDataSource pool = new HikariDataSource(config);
        open.push(pool::close);
        return pool;
    }

    /** Creates a proxy in front of the server. */
    Proxy proxy() throws IOException {
        Proxy proxy = TestServer.proxy();
        open.push(proxy::close);
        return proxy;
    }

    /** Creates a data source whose statements are prepared at once, so that a trap finds each in a message of its own. */
    static PGSimpleDataSource through(Proxy proxy) {
        PGSimpleDataSource source = TestServer.through(proxy);
        source.setPrepareThreshold(1);
        return source;
    }

    /** Takes from a watch the keys of all that was put, up to and with a certain key. */
    static List<String> keysUntil(Watch watch, String last) throws InterruptedException {
        List<String> keys = new ArrayList<>();
        String key;
        do {
            WatchSignal signal = watch.poll(PATIENCE).orElseThrow();
            key = signal instanceof WatchSignal.Change change && change.event() instanceof EntryPut put
                    ? put.key()
                    : signal.getClass().getSimpleName();
            keys.add(key);
        } while (!key.equals(last));
        return keys;
    }

    @Override
    public void close() throws IOException {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        if (again) {
            ReadySchemas.giveBack(schema);
        } else {
            TestServer.drop(schema);
        }
    }
}
