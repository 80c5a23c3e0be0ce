package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** The order of events beside an open transaction, compared with an outbox that reads up to the oldest open transaction. */
@Tag("postgresql")
class EventOrderTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String schema = TestServer.freshSchema();

    @AfterEach
    void dropSchema() {
        TestServer.drop(schema);
    }

    /** The trap that the log of this engine avoids: the ids of transactions have the order of their beginnings. */
    @Test
    void anOutboxOrderedByTransactionTellsTwoUpdatesOfAKeyInTheWrongOrder() throws SQLException {
        assumeFalse(TestServer.isGiven(), "on a server of others, the outbox also stalls behind their transactions");
        try (Connection early = TestServer.dataSource().getConnection();
                Connection late = TestServer.dataSource().getConnection();
                Connection reader = TestServer.dataSource().getConnection()) {
            Statements.run(reader, "CREATE SCHEMA " + schema);
            Statements.run(reader, "CREATE TABLE " + schema + ".entry (key text PRIMARY KEY, value text)");
            Statements.run(reader, "INSERT INTO " + schema + ".entry VALUES ('key', 'zero'), ('other', 'zero')");
            Statements.run(
                    reader,
                    "CREATE TABLE " + schema
                            + ".outbox (id bigserial, tx xid8 DEFAULT pg_current_xact_id(), value text)");
            early.setAutoCommit(false);
            Statements.run(
                    early,
                    "UPDATE " + schema + ".entry SET value = 'one' WHERE key = 'other'"); // has its id from now on
            put(late, "first");
            assertThat(told(reader)).isEmpty(); // it stalls behind the open transaction, too
            put(early, "second");
            early.commit();
            assertThat(value(reader)).isEqualTo("second");
            // It also stalls behind those of other tests and of the server itself.
            Awaitility.await().until(() -> told(reader).size() == 2);
            assertThat(told(reader)).containsExactly("second", "first");
        }
    }

    private void put(Connection connection, String value) throws SQLException {
        Statements.run(connection, "UPDATE " + schema + ".entry SET value = '" + value + "' WHERE key = 'key'");
        Statements.run(connection, "INSERT INTO " + schema + ".outbox (value) VALUES ('" + value + "')");
    }

    private String value(Connection reader) throws SQLException {
        return list(reader, "SELECT value FROM " + schema + ".entry WHERE key = 'key'")
                .get(0);
    }

    private List<String> told(Connection reader) throws SQLException {
        return list(
                reader,
                "SELECT value FROM " + schema
                        + ".outbox WHERE tx < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY tx, id");
    }

    private static List<String> list(Connection connection, String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                found.add(result.getString(1));
            }
        }
        return found;
    }

    @Test
    @Promise(13)
    void twoUpdatesOfAKeyAreToldInTheirOrderWhileAnotherTransactionIsOpen() throws Exception {
        try (Connection early = TestServer.dataSource().getConnection();
                Store writer = open();
                Store reader = open();
                Watch watch = reader.group("group").watch()) {
            writer.group("group").put("other", "zero");
            early.setAutoCommit(false);
            Statements.run(
                    early, "UPDATE " + schema + ".lease SET until = until WHERE slot = 0"); // has its id from now on
            long first = writer.group("group").put("key", "first");
            long second = reader.group("group").put("key", "second");
            assertThat(second).isGreaterThan(first);
            long unused = next(watch);
            assertThat(List.of(next(watch), next(watch))).containsExactly(first, second);
        }
    }

    private Store open() {
        return Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema))
                .open();
    }

    private static long next(Watch watch) throws InterruptedException {
        WatchSignal signal = watch.poll(PATIENCE).orElseThrow();
        return ((EntryPut) ((WatchSignal.Change) signal).event()).version();
    }
}
