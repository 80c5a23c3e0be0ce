package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Expiry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tables that are distributed over servers. It needs the coordinator of a database with Citus:
 *
 * <pre>{@code
 * mvn -pl store-core test -Dttl-store.test.postgresql.url=jdbc:postgresql://localhost/postgres \\
 *         -Dttl-store.test.postgresql.user=application -Dtest='DistributedTests,PostgreSql*Tests,SharedTimeTests,ServerCommitTests,UnreadRowTests,IncrementTests,CampaignTests'
 * }</pre>
 */
@Tag("postgresql")
class DistributedTests {

    private static final String TABLES = """
            SELECT c.relname, p.partmethod::text, p.colocationid
              FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
             WHERE c.relnamespace = '"%s"'::regnamespace
            """;

    private static final int GROUPS = 40;

    private final String schema = TestServer.freshSchema();

    @BeforeEach
    void requireCitus() {
        assumeTrue(
                TestServer.isDistributed(),
                "needs a coordinator with Citus: -Dttl-store.test.postgresql.url=jdbc:postgresql://...");
    }

    @AfterEach
    void dropSchema() {
        TestServer.drop(schema);
    }

    private Store open(PostgreSql engine) {
        return Store.builder().engine(engine.schema(schema)).open();
    }

    private Store open() {
        return open(PostgreSql.on(TestServer.pool()));
    }

    @Test
    void tablesAreDistributedTogether() throws SQLException {
        open().close();
        Map<String, String> tables = tables();
        assertThat(tables)
                .containsOnlyKeys(
                        "delivery", "entry", "layout", "lease", "log", "retained", "slot", "subscriber", "usage");
        assertThat(tables.get("layout")).startsWith("n");
        tables.remove("layout");
        assertThat(tables.values()).containsOnly(tables.get("slot"));
        assertThat(tables.get("slot")).startsWith("h");
    }

    @Test
    void aSettingLeavesTablesOnOneServer() throws SQLException {
        try (Store store = open(PostgreSql.on(TestServer.pool()).distributed(false))) {
            store.group("group").put("key", "value");
        }
        assertThat(tables()).isEmpty();
        try (Store store = open()) { // which uses what is there
            assertThat(store.group("group").get("key")).contains("value");
        }
        assertThat(tables()).isEmpty();
    }

    @Test
    void tablesAndFunctionsOfAnAdministratorAreUsed() throws SQLException {
        apply(SchemaScript.read(SchemaScript.TABLES).replace("--citus ", ""));
        apply(SchemaScript.read(SchemaScript.FUNCTIONS).replace("--citus ", ""));
        try (Store store = open(PostgreSql.on(TestServer.pool()).initializeSchema(false))) {
            store.group("group").put("key", "value");
            assertThat(store.group("group").get("key")).contains("value");
            assertThat(requireNonNull(store.stats().shared()).lockedCommits()).isEmpty();
        }
        assertThat(tables()).hasSize(9);
    }

    @Test
    void theServerOfARowMakesTheCommitOfAWriteOfThatRowAlone() {
        List<String> texts = new CopyOnWriteArrayList<>();
        try (Store store = open(PostgreSql.on(ServerCommitTests.recording(TestServer.dataSource(), texts)))) {
            for (int i = 0; i < GROUPS; i++) {
                TextGroup group = store.group("group" + i);
                group.put("key", "value");
                assertThat(ServerCommitTests.ofStore(texts, () -> group.put("key", "other")))
                        .singleElement(STRING)
                        .contains("apply_one_1");
            }
            assertThat(requireNonNull(store.stats().shared()).lockedCommits()).isEmpty();
        }
    }

    @Test
    void aServerThatHasNoFunctionOfItsOwnIsNotAskedForACommit() throws SQLException {
        apply(SchemaScript.read(SchemaScript.TABLES).replace("--citus ", ""));
        apply(SchemaScript.read(SchemaScript.FUNCTIONS)); // without the last statement, which is marked
        try (Store store = open(PostgreSql.on(TestServer.pool()).initializeSchema(false))) {
            store.group("group").put("key", "value");
            assertThat(requireNonNull(store.stats().shared()).lockedCommits()).containsOnlyKeys("function");
        }
    }

    @Test
    void aBatchReachesAllServers() {
        try (Store store = open()) {
            long batched = store.transact(tx -> {
                for (int i = 0; i < GROUPS; i++) {
                    long unused = tx.group("group" + i).put("key", "value", Duration.ofMinutes(10));
                }
                return tx.count();
            });
            assertThat(batched).isEqualTo(GROUPS);
            assertThat(store.count()).isEqualTo(GROUPS);
            assertThat(store.groups()).hasSize(GROUPS);
            assertThat(store.stats().fileBytes()).isPositive();
        }
    }

    /** A message has 65,535 parameters at most, and each row that is put has nine of its own there. */
    @Test
    void aCommitMayHaveMoreRowsThanAMessageHasParametersFor() {
        int rows = 8_000;
        try (Store store = Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema))
                .retention(Duration.ofDays(1))
                .open()) {
            Map<String, String> values =
                    IntStream.range(0, rows).boxed().collect(Collectors.toMap(i -> "key" + i, i -> "value"));
            store.onExpired("subscriber", "group", expired -> {});
            TextGroup group = store.group("group");
            group.putAll(values, Expiry.now());
            group.putAll(values, Expiry.never()); // which records the expiries and retains the rows
            assertThat(group.count()).isEqualTo(rows);
            assertThat(store.expired(Instant.EPOCH, Instant.now().plusSeconds(60)))
                    .hasSize(rows);
        }
    }

    @Test
    @Promise(25)
    void aRoleWhoseTextsCitusWouldChangeIsRefused() {
        open().close();
        PGSimpleDataSource source = TestServer.dataSource();
        source.setOptions("-c standard_conforming_strings=off");
        assertThatThrownBy(() -> open(PostgreSql.on(source)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("standard_conforming_strings");
    }

    private Map<String, String> tables() throws SQLException {
        Map<String, String> tables = new TreeMap<>();
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(TABLES.formatted(schema))) {
            while (rows.next()) {
                tables.put(rows.getString(1), rows.getString(2) + rows.getInt(3));
            }
        }
        return tables;
    }

    private void apply(String script) throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            boolean unused = statement.execute(script.replace("ttl_store", schema));
            connection.commit();
        }
    }
}
