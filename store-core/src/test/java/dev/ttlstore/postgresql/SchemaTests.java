package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.OtherDatabaseException;
import dev.ttlstore.exception.StoreSchemaException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How the tables come to be, and under which names. */
@Tag("postgresql")
class SchemaTests extends OwnSchema {

    @Test
    void nodesThatStartTogetherCreateTheTablesOnce() {
        List<CompletableFuture<Store>> opened = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> open(true)))
                .toList();
        for (int i = 0; i < opened.size(); i++) {
            opened.get(i).join().group("group").put("key" + i, "value");
        }
        assertThat(opened.get(0).join().count()).isEqualTo(6);
        opened.forEach(store -> store.join().close());
    }

    @Test
    void withoutInitializationAMissingSchemaIsNamed() {
        assertThatThrownBy(() -> open(false))
                .isInstanceOfSatisfying(
                        StoreSchemaException.class, e -> assertThat(e.schema()).isEqualTo(schema))
                .hasMessageContaining(schema)
                .hasMessageContaining("schema.sql");
    }

    @Test
    @Promise(12)
    void aDatabaseThatCannotHoldAllTextIsRefused() throws SQLException {
        execute("CREATE DATABASE \"" + schema + "\" ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
        try {
            PGSimpleDataSource source = TestServer.admin();
            source.setDatabaseName(schema);
            assertThatThrownBy(() -> open(source, schema, true))
                    .isInstanceOf(OtherDatabaseException.class)
                    .hasMessageContaining("LATIN1")
                    .hasMessageContaining("ENCODING 'UTF8'");
        } finally {
            execute("DROP DATABASE \"" + schema + "\"");
        }
    }

    @Test
    void aServerThatIsTooOldIsRefused() {
        DataSource old = TappedDataSource.answering(TestServer.dataSource(), "getDatabaseMajorVersion", 13);
        assertThatThrownBy(() -> open(old, schema, true))
                .isInstanceOf(OtherDatabaseException.class)
                .hasMessageContaining("PostgreSQL 13")
                .hasMessageContaining("14 or later");
    }

    @Test
    void nodesThatStartTogetherWithAnAgeIndexCreateItOnce() throws SQLException {
        open(true).close();
        execute("INSERT INTO \"" + schema + "\".entry (slot, grp, key, version, created_at, updated_at, value)"
                + " SELECT 3, 'aged', 'k' || i, i, i, i, '' FROM generate_series(1, 100000) i");
        List<CompletableFuture<Void>> opened = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> Store.builder()
                        .engine(PostgreSql.on(TestServer.pool()).schema(schema))
                        .group("aged", GroupSettings.defaults().withAgeIndex(true))
                        .open()
                        .close()))
                .toList();
        opened.forEach(CompletableFuture::join);
    }

    /** Otherwise a scope of groups that come and go would fill the table. */
    @Test
    @Promise(19)
    void groupsThatAreEmptyAgainLeaveNoUsage() throws SQLException {
        MovableClock clock = new MovableClock();
        try (Store store = Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema))
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .open()) {
            Scope scope = store.scope("tenant", new Quota(100, 0, 0));
            for (int i = 0; i < 10; i++) {
                scope.group("expires" + i).put("key", "value", Duration.ofSeconds(1));
                scope.group("deleted" + i).put("key", "value");
                assertThat(scope.group("deleted" + i).delete("key")).isTrue();
            }
            scope.group("stays").put("key", "value");
            clock.advance(Duration.ofMinutes(1));
            assertThat(store.purgeExpired()).isEqualTo(10);
            assertThat(scope.usage().groups()).isEqualTo(1);
            try (Connection connection = TestServer.admin().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(
                            "SELECT string_agg(grp, ' ' ORDER BY grp) FROM \"" + schema + "\".usage WHERE grp <> ''")) {
                assertThat(result.next()).isTrue();
                assertThat(result.getString(1)).isEqualTo("tenant:stays");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"With \"quotes\"", "UPPER case", "übermäßig", "semi;colon", "it's"})
    void aSchemaMayHaveAnyName(String suffix) throws SQLException {
        String name = schema + suffix;
        try (Store store = open(TestServer.pool(), name, true)) {
            store.scope("tenant").group("group").put("key", "value");
            assertThat(store.scope("tenant").count()).isEqualTo(1);
        } finally {
            execute("DROP SCHEMA \"" + name.replace("\"", "\"\"") + "\" CASCADE");
        }
        try (Store store = open(TestServer.pool(), name, true)) {
            assertThat(store.count()).isZero();
        } finally {
            execute("DROP SCHEMA \"" + name.replace("\"", "\"\"") + "\" CASCADE");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a\0b",
                "a?b",
                "a@b",
                "a{b",
                "a\\b",
                "0123456789012345678901234567890123456789012345678901234567890123",
                "t\nDROP TABLE IF EXISTS public.victim;--",
                "a\rb",
                "a\u000bb",
                "a\u001bb",
                "a\u007fb",
                "a\u0085b",
                "a\u2028b",
                "a\u2029b"
            })
    void aNameThatCannotBeASchemaIsRefused(String name) {
        assertThatThrownBy(() -> PostgreSql.on(TestServer.pool()).schema(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'name'");
    }

    @Test
    void storesInTwoSchemasShareNothing() {
        String other = TestServer.freshSchema();
        try (Store one = open(true);
                Store two = open(TestServer.pool(), other, true)) {
            one.group("group").put("key", "value");
            assertThat(two.group("group").get("key")).isEmpty();
        } finally {
            TestServer.drop(other);
        }
    }

    /** Renewals change no index, so PostgreSQL writes the new row beside the old one and touches nothing else. */
    @Test
    void renewalsAreHotUpdates() throws Exception {
        TestServer.settle();
        // Its connections are closed at the end: PostgreSQL 14 counts what an idle one has done only then.
        try (HikariDataSource pool = TestServer.pool("hot", 4);
                Store store = open(pool, schema, true)) {
            for (int i = 0; i < 50; i++) {
                store.group("group").put("key" + i, "value", Duration.ofMinutes(30));
            }
            for (int round = 1; round <= 20; round++) {
                for (int i = 0; i < 50; i++) {
                    boolean unused = store.group("group")
                            .expire("key" + i, Duration.ofMinutes(30).plusMillis(round));
                }
            }
        }
        Awaitility.await()
                .until(() ->
                        number("SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'entry' AND schemaname = '"
                                        + schema + "'")
                                >= 1_000);
        long updates = number(
                "SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'entry' AND schemaname = '" + schema + "'");
        long hot = number("SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'entry' AND schemaname = '"
                + schema + "'");
        assertThat((double) hot / updates).isGreaterThan(0.9);
    }

    private static long number(String query) throws SQLException {
        return Statements.number(TestServer.admin(), query);
    }
}
