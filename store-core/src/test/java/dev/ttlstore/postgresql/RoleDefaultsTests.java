package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;

import static org.assertj.core.api.Assertions.assertThat;

/** Roles and pools whose defaults are unusual. */
@Tag("postgresql")
class RoleDefaultsTests {

    private final Nodes nodes = new Nodes();

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
                nodes.open(nodes.pool(4, with(options)), Limits.DEFAULT),
                nodes.open(nodes.pool(4, with(options)), Limits.DEFAULT));
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
