package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Roles and pools whose defaults are unusual. */
@Tag("postgresql")
class RoleDefaultsTests {

    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private static PGSimpleDataSource with(String options) {
        PGSimpleDataSource source = TestServer.dataSource();
        source.setOptions(options);
        return source;
    }

    @Test
    @Promise({8, 10})
    void nothingIsLostIfTheRolesDefaultIsSerializable() {
        int times = Effort.of(12, 50);
        String options = "-c default_transaction_isolation=serializable";
        List<Store> stores = List.of(
                nodes.open(nodes.pool(4, with(options)), Timeouts.DEFAULT),
                nodes.open(nodes.pool(4, with(options)), Timeouts.DEFAULT));
        List<CompletableFuture<Void>> threads = IntStream.range(0, 4)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> IntStream.range(0, times).forEach(i -> {
                            Store store = stores.get(thread % 2);
                            store.counters("count").increment("key");
                            store.transactWithoutResult(
                                    tx -> tx.group("group").put("key" + thread, Integer.toString(i)));
                            assertThat(store.group("group").get("key" + thread)).contains(Integer.toString(i));
                        }),
                        task -> Threads.start("increment", task::run)))
                .toList();
        threads.forEach(CompletableFuture::join);
        assertThat(stores.get(0).counters("count").increment("key")).isEqualTo(4L * times + 1);
    }

    @Test
    void defaultsThatSlowCommitsDownAreLogged() {
        try (LogRecorder recorder = new LogRecorder(ServerStatistics.class.getName(), Level.INFO)) {
            nodes.open(nodes.pool(2, with("-c default_transaction_isolation=serializable")));
            assertThat(recorder.events())
                    .singleElement()
                    .asString()
                    .contains("'default_transaction_isolation' is 'serializable'");
        }
        try (LogRecorder recorder = new LogRecorder(ServerStatistics.class.getName(), Level.INFO)) {
            nodes.open(nodes.pool(2, with("-c default_transaction_read_only=off")));
            assertThat(recorder.events()).isEmpty();
        }
    }

    @Test
    @Promise(8)
    void aDriverWhoseTextsTheServerReadsOtherwiseIsRefused() {
        PGSimpleDataSource source = with("-c standard_conforming_strings=off");
        nodes.open(nodes.pool(2, source)).group("group").put("key", "value");
        source.setPreferQueryMode(PreferQueryMode.SIMPLE);
        assertThatThrownBy(() -> nodes.open(nodes.pool(2, source)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("standard_conforming_strings");
        source.setOptions("");
        TextGroup group = nodes.open(nodes.pool(2, source)).group("group");
        assertThat(group.get("key")).contains("value");
    }

    @Test
    @Promise({8, 11})
    void writesWorkIfTheRolesDefaultIsReadOnly() {
        TextGroup group = nodes.open(nodes.pool(4, with("-c default_transaction_read_only=on")))
                .group("group");
        group.put("key", "value", Duration.ofMillis(50));
        Awaitility.await().until(() -> group.get("key").isEmpty());
        group.put("key", "changed");
        assertThat(group.get("key")).contains("changed");
    }

    @Test
    @Promise(17)
    void expiriesAreHandledIfTheRolesDefaultIsReadOnly() {
        Store store = nodes.open(nodes.pool(4, with("-c default_transaction_read_only=on")));
        List<String> handled = new CopyOnWriteArrayList<>();
        store.onExpired("handler", "group", entry -> handled.add(entry.key()));
        store.group("group").put("key", "value", Duration.ofMillis(1));
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> store.purgeExpired() >= 0 && handled.contains("key"));
        assertThat(handled).containsExactly("key");
    }

    @Test
    @Promise(11)
    void commitsAreDurableAndConnectionsGivenBackAsTheyWere() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(with("-c synchronous_commit=off -c lock_timeout=7s"));
        config.setAutoCommit(false);
        config.setMaximumPoolSize(3);
        config.setMinimumIdle(0);
        HikariDataSource pool = nodes.pool(config);
        Store store = nodes.open(pool);
        TextGroup group = store.group("group");
        group.put("key", "value");
        store.transactWithoutResult(tx -> tx.group("group").put("key", "changed"));
        assertThat(group.get("key")).contains("changed");
        assertThat(nodes.open().group("group").get("key")).contains("changed");
        for (int i = 0; i < 3; i++) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(setting(statement, "synchronous_commit")).isEqualTo("off");
                assertThat(setting(statement, "lock_timeout")).isEqualTo("7s");
                assertThat(setting(statement, "idle_in_transaction_session_timeout"))
                        .isEqualTo("0");
                assertThat(setting(statement, "transaction_isolation")).isEqualTo("read committed");
            }
        }
        assertThat(openTransactions()).isZero();
    }

    /** A role that waits until the standbys show a commit keeps that, and none waits for less than the disk. */
    @ParameterizedTest
    @CsvSource({"off,on", "local,on", "remote_write,on", "on,on", "remote_apply,remote_apply"})
    @Promise(11)
    void aCommitIsAsDurableAsItsRoleDemandsAndAtLeastOnTheDisk(String ofRole, String ofCommit) throws SQLException {
        assumeFalse(TestServer.isDistributed(), "a table has no triggers there");
        Store store = nodes.open(nodes.pool(4, with("-c synchronous_commit=" + ofRole)));
        store.group("group").put("key", "value");
        noteDurability();
        store.group("group").put("key", "again");
        store.group("group").putAll(Map.of("key", "value", "other", "value"));
        store.transactWithoutResult(tx -> tx.group("group").put("key", "in a transaction"));
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT string_agg(DISTINCT setting, ' '), count(*) FROM \""
                        + nodes.schema() + "\".durability")) {
            assertThat(result.next()).isTrue();
            assertThat(result.getString(1)).isEqualTo(ofCommit);
            assertThat(result.getInt(2)).isGreaterThanOrEqualTo(3);
        }
    }

    /** Notes the setting of each commit at its end. */
    private void noteDurability() throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE @durability (setting text);
                    CREATE FUNCTION @durability() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        INSERT INTO @durability VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
                    CREATE CONSTRAINT TRIGGER durability AFTER INSERT ON @log DEFERRABLE INITIALLY DEFERRED
                        FOR EACH ROW EXECUTE FUNCTION @durability()
                    """.replace("@", '"' + nodes.schema() + "\"."));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "local", "remote_apply"})
    void aPutTakesOneRoundTripHoweverDurableTheRolesCommitsAre(String ofRole) {
        TestServer.assumeNoLockIsNeeded();
        List<String> texts = new CopyOnWriteArrayList<>();
        DataSource recorded = ServerCommitTests.recording(with("-c synchronous_commit=" + ofRole), texts);
        TextGroup group = nodes.open(nodes.pool(3, recorded)).group("group");
        group.put("key", "first");
        // The first texts take longer, and a commit that is late is decided again.
        Awaitility.await().atMost(Nodes.PATIENCE).pollInSameThread().untilAsserted(() -> assertThat(
                        ServerCommitTests.ofStore(texts, () -> group.put("key", "value")))
                .hasSize(1));
    }

    private static String setting(Statement statement, String name) throws SQLException {
        try (ResultSet result = statement.executeQuery("SHOW " + name)) {
            assertThat(result.next()).isTrue();
            return result.getString(1);
        }
    }

    /** Counts the connections that are in a transaction and used this test's schema. */
    private long openTransactions() throws SQLException {
        try (Connection connection = TestServer.admin().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE state LIKE 'idle in transaction%' AND query LIKE '%" + nodes.schema() + "%'")) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }
}
