package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The statement of a commit of one row, whose text is a transaction of its own. */
@Tag("postgresql")
@Promise({8, 10, 11})
class GuardedStoresTests {

    private static final int SLOT = 3;

    private final Nodes nodes = new Nodes();
    private final List<UUID> done = new ArrayList<>();

    @BeforeEach
    void create() {
        nodes.open().close();
    }

    @AfterEach
    void close() throws IOException {
        nodes.close();
    }

    private Connections connections(String options) {
        PGSimpleDataSource source = TestServer.dataSource();
        source.setOptions(options);
        return new Connections(source, new Sql(nodes.schema(), InstantSource.system()));
    }

    /** Adds the statement of a put. */
    private Script put(Script script) throws SQLException {
        long now = System.currentTimeMillis();
        LogRow log = new LogRow(SLOT, Sql.micros(now), UUID.randomUUID(), Row.NEVER, false, null);
        Row row = new Row(new RowKey("group", "key"), new byte[0], 1, now, now, Row.NEVER);
        GuardedStores.Guard guard = new GuardedStores.Guard(log.seq(), now, server(), null);
        new GuardedStores(script, guard, log, found -> done.add(found.getObject(1, UUID.class))).overwrite(row);
        return script;
    }

    private long server() throws SQLException {
        List<Long> found = new ArrayList<>(1);
        Connections connections = connections("");
        run(connections, Head.query(connections.script(), List.of(SLOT), head -> found.add(head.server())));
        return found.get(0);
    }

    private static Script lock(Connections connections) {
        return Timeouts.DEFAULT.lock(connections.script(), SLOT);
    }

    private static void run(Connections connections, Script... scripts) throws SQLException {
        try (Connections.Borrowed borrowed = connections.borrow()) {
            for (Script script : scripts) {
                borrowed.run(script);
            }
        }
    }

    @Test
    void oneTextLocksAndStores() {
        assertStoredInOneText("");
    }

    @Test
    void nothingIsStoredIfTheLockWasInATransactionOfItsOwn() throws SQLException {
        Connections connections = connections("");
        run(connections, lock(connections), put(connections.script()));
        assertThat(done).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "local", "remote_write", "remote_apply"})
    void oneTextStoresHoweverDurableTheRolesCommitsAre(String durability) {
        assertStoredInOneText("-c synchronous_commit=" + durability);
    }

    /** A text that comes long after it was made stores nothing, which happens on a busy machine. */
    private void assertStoredInOneText(String options) {
        Connections connections = connections(options);
        Awaitility.await().pollInSameThread().until(() -> {
            run(connections, put(lock(connections)));
            return !done.isEmpty();
        });
        assertThat(done).hasSize(1);
    }

    /** A snapshot may be from before the lock. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-c default_transaction_isolation=serializable",
                "-c default_transaction_isolation=repeatable\\ read"
            })
    void nothingIsStoredIfTransactionsAreNotAsUsual(String options) throws SQLException {
        Connections connections = connections(options);
        run(connections, put(lock(connections)));
        assertThat(done).isEmpty();
    }
}
