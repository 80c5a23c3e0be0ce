package dev.ttlstore.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Watch;
import dev.ttlstore.exception.NewerSchemaException;
import dev.ttlstore.exception.OtherDatabaseException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreSchemaException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** How the tables come to be, and what is said when they are not there. */
@Tag("postgresql")
class SchemaTests {

    private final String schema = TestServer.freshSchema();

    @AfterEach
    void dropSchema() {
        TestServer.drop(schema);
    }

    private Store open(boolean initialize) {
        return open(TestServer.pool(), schema, initialize);
    }

    private static Store open(DataSource source, String name, boolean initialize) {
        return Store.builder()
                .engine(PostgreSql.on(source).schema(name).initializeSchema(initialize))
                .open();
    }

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
    void whatIsMissingIsNamed() throws SQLException {
        open(true).close();
        execute("ALTER TABLE \"" + schema + "\".entry DROP COLUMN updated_at");
        execute("DROP TABLE \"" + schema + "\".usage");
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("column entry.updated_at")
                .hasMessageContaining("table usage");
    }

    @Test
    void missingKeysIndexesAndCollationsAreNamed() throws SQLException {
        open(true).close();
        execute("DROP INDEX \"" + schema + "\".entry_due");
        execute("ALTER TABLE \"" + schema + "\".log DROP CONSTRAINT log_pkey");
        execute("ALTER TABLE \"" + schema + "\".retained ALTER COLUMN key TYPE text COLLATE \"default\"");
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("index entry_due")
                .hasMessageContaining("primary key of log")
                .hasMessageContaining("collation \"C\" of retained.key");
    }

    /** They would lose entries in a crash, hide some, or refuse some later. */
    @ParameterizedTest
    @CsvSource({
        "ALTER TABLE @entry SET UNLOGGED, the table entry is UNLOGGED, SET LOGGED",
        "ALTER TABLE @log SET UNLOGGED, the table log is UNLOGGED, SET LOGGED",
        "ALTER TABLE @entry ALTER version TYPE integer, entry.version is integer instead of bigint, ALTER COLUMN",
        "ALTER TABLE @retained ALTER key TYPE varchar(9) COLLATE \"C\", retained.key is character varying(9) instead of text, ALTER",
        "ALTER TABLE @usage ENABLE ROW LEVEL SECURITY; ALTER TABLE @usage FORCE ROW LEVEL SECURITY,"
                + " row security of the table usage, DISABLE ROW LEVEL SECURITY",
        "CREATE RULE lost AS ON INSERT TO @entry DO INSTEAD NOTHING, the table entry has a rule, DROP RULE",
        "CREATE TRIGGER lost BEFORE UPDATE ON @entry FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger(),"
                + " or a trigger BEFORE each row, DROP TRIGGER"
    })
    @Promise({11, 12})
    void aTableThatIsNotAsItMustBeIsNamedWithTheRemedy(String change, String problem, String remedy)
            throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        open(true).close();
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(change.replace("@", '"' + schema + "\"."));
        }
        assertThatThrownBy(() -> open(TestServer.dataSource(), schema, true))
                .isInstanceOfSatisfying(
                        StoreSchemaException.class, e -> assertThat(e.schema()).isEqualTo(schema))
                .hasMessageContaining(problem)
                .hasMessageContaining(remedy);
    }

    @Test
    @Promise(11)
    void aPartOfATableIsCheckedLikeTheTable() throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        open(true).close();
        TestServer.partitionEntries(schema);
        open(false).close();
        execute("ALTER TABLE \"" + schema + "\".entry_1 SET UNLOGGED");
        assertThatThrownBy(() -> open(false))
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("the table entry_1 is UNLOGGED");
    }

    /** Such as one that copies changes elsewhere, or one that is not used. */
    @Test
    void aTriggerThatDropsNothingIsNoHindrance() throws SQLException {
        TestServer.assumeNoLockIsNeeded();
        open(true).close();
        String trigger = "CREATE TRIGGER %s %s UPDATE ON \"" + schema
                + "\".entry FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()";
        execute(
                trigger.formatted("copies", "AFTER"),
                trigger.formatted("unused", "BEFORE"),
                "ALTER TABLE \"" + schema + "\".entry DISABLE TRIGGER unused");
        open(false).close();
    }

    /** It applies to others than the owner. */
    @Test
    void rowSecurityThatDoesNotApplyToTheRoleIsNoHindrance() throws SQLException {
        open(true).close();
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE \"" + schema + "\".entry ENABLE ROW LEVEL SECURITY");
        }
        open(false).close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT on log",
                "DELETE on log",
                "INSERT on entry",
                "UPDATE on delivery",
                "DELETE on usage",
                "SELECT on layout",
                "UPDATE on slot"
            })
    void aMissingRightIsNamed(String right) throws SQLException {
        open(true).close();
        execute("CREATE ROLE \"" + schema + "\" LOGIN PASSWORD 'secret'");
        execute("GRANT USAGE ON SCHEMA \"" + schema + "\" TO \"" + schema + "\"");
        execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"" + schema + "\" TO \"" + schema
                + "\"");
        String[] words = right.split(" ", -1);
        execute("REVOKE " + words[0] + " ON \"" + schema + "\"." + words[2] + " FROM \"" + schema + "\"");
        var source = TestServer.admin();
        source.setUser(schema);
        source.setPassword("secret");
        try {
            assertThatThrownBy(() -> open(source, schema, false))
                    .isInstanceOf(StoreSchemaException.class)
                    .hasMessageContaining("missing: right " + right)
                    .hasMessageContaining("grant");
        } finally {
            execute("DROP OWNED BY \"" + schema + "\" CASCADE");
            execute("DROP ROLE \"" + schema + "\"");
        }
    }

    @Test
    void aCheckNoticesThatTheEntriesAreGone() throws SQLException {
        try (Store store = open(true)) {
            store.check();
            execute("DROP TABLE \"" + schema + "\".entry");
            assertThatThrownBy(store::check).isInstanceOf(StoreException.class).hasMessageContaining("missing");
        }
    }

    @Test
    void missingRowsAreNamed() throws SQLException {
        open(true).close();
        execute("DELETE FROM \"" + schema + "\".lease WHERE role = 'purge' AND slot = 3");
        execute("DELETE FROM \"" + schema + "\".log WHERE slot = 5");
        assertThatThrownBy(() -> open(true))
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("2 of 32 slots")
                .hasMessageContaining("INSERT");
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

    @Test
    void aNewerLayoutIsNotTouched() throws SQLException {
        open(true).close();
        execute("UPDATE \"" + schema + "\".layout SET version = 1000");
        assertThatThrownBy(() -> open(true))
                .isInstanceOfSatisfying(
                        NewerSchemaException.class, e -> assertThat(e.layout()).isEqualTo(1000))
                .hasMessageContaining("1000");
    }

    /** As during a rolling update. */
    @Test
    void aNewerVersionMayAddToTheTablesWhileThisOneRuns() throws Exception {
        try (Store running = open(true);
                Watch watch = running.group("group").watch()) {
            running.group("group").put("before", "value");
            execute(
                    "INSERT INTO \"@\".layout (version, slots) SELECT 3, slots FROM \"@\".layout".replace("@", schema),
                    "ALTER TABLE \"@\".entry ADD COLUMN colour text NOT NULL DEFAULT 'blue'".replace("@", schema),
                    "ALTER TABLE \"@\".log ADD COLUMN colour text".replace("@", schema),
                    "CREATE TABLE \"@\".colour (name text)".replace("@", schema));
            for (boolean initialize : new boolean[] {true, false}) {
                try (Store restarted = open(initialize)) {
                    TextGroup group = restarted.group("group");
                    assertThat(group.get("before")).contains("value");
                    group.put("key" + initialize, "value");
                    assertThat(restarted.counters("counters").increment("restarts"))
                            .isPositive();
                    restarted.transact(tx -> tx.group("group").put("both" + initialize, "value"));
                    assertThat(running.group("group").take("key" + initialize)).contains("value");
                    assertThat(running.purgeExpired()).isZero();
                }
            }
            assertThat(running.counters("counters").get("restarts")).contains(2L);
            for (int i = 0; i < 7; i++) {
                assertThat(watch.poll(Nodes.PATIENCE)).isPresent();
            }
        }
        execute("DELETE FROM \"@\".layout WHERE version = 2".replace("@", schema));
        assertThatThrownBy(() -> open(true)).isInstanceOf(NewerSchemaException.class);
        execute(file().replace("ttl_store", schema));
        assertThatThrownBy(() -> open(true)).isInstanceOf(NewerSchemaException.class);
    }

    /** They lock by a number that they have from the name of the schema. */
    @Test
    @Promise(10)
    void whileNodesOfTheFirstLayoutMayWriteTheirLocksCountToo() throws Exception {
        assumeFalse(TestServer.isDistributed(), "rows were always locked there");
        open(true).close();
        execute("UPDATE \"@\".layout SET version = 1".replace("@", schema));
        String locked = "SELECT pg_advisory_xact_lock(%d, slot) FROM \"%s\".slot".formatted(Sql.number(schema), schema);
        try (Connection earlier = TestServer.dataSource().getConnection();
                Statement statement = earlier.createStatement();
                Store updated = openImpatient()) {
            TextGroup group = updated.group("group");
            earlier.setAutoCommit(false);
            statement.execute(locked);
            assertThatThrownBy(() -> group.put("key", "value")).hasMessageContaining("holds the rows");
            assertThatThrownBy(() -> updated.transactWithoutResult(
                            tx -> tx.group("group").put("key", "value")))
                    .hasMessageContaining("holds the rows");
            assertThatThrownBy(() -> updated.group("group").putAll(Map.of("key", "value", "other", "value")))
                    .hasMessageContaining("holds the rows");
            earlier.commit();
            group.put("key", "value");
        }
        execute(lastStatementOfFile().replace("ttl_store", '"' + schema + '"'));
        try (Connection other = TestServer.dataSource().getConnection();
                Statement statement = other.createStatement();
                Store updated = openImpatient()) {
            other.setAutoCommit(false);
            statement.execute(locked);
            updated.group("group").put("key", "again");
            updated.transactWithoutResult(tx -> tx.group("group").put("key", "again"));
        }
    }

    private Store openImpatient() {
        return Store.builder()
                .engine(PostgreSql.on(TestServer.pool()).schema(schema).limits(Nodes.LIMITS))
                .open();
    }

    private static String lastStatementOfFile() throws IOException {
        return file().lines()
                .reduce((earlier, later) -> later)
                .map(line -> line.substring("-- ".length()))
                .orElseThrow();
    }

    @Test
    void aRoleThatMayOnlyReadAndWriteWorksInTablesOfAnAdministrator() throws SQLException, IOException {
        execute(file().replace("ttl_store", schema));
        execute("CREATE ROLE \"" + schema + "\" LOGIN PASSWORD 'secret' NOSUPERUSER NOCREATEDB NOCREATEROLE");
        execute("GRANT USAGE ON SCHEMA \"" + schema + "\" TO \"" + schema + "\"");
        execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"" + schema + "\" TO \"" + schema
                + "\"");
        var source = TestServer.admin();
        source.setUser(schema);
        source.setPassword("secret");
        try (Store store = open(source, schema, false)) {
            store.group("group").put("key", "value");
            assertThat(store.group("group").get("key")).contains("value");
        } finally {
            execute("DROP OWNED BY \"" + schema + "\" CASCADE");
            execute("DROP ROLE \"" + schema + "\"");
        }
    }

    @Test
    void aMissingRightIsExplained() throws SQLException {
        open(true).close();
        assertThat(refusalOfARoleWithoutRights())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("rant");
    }

    @Test
    void aRoleThatMayNotCreateTheSchemaIsToldSo() throws SQLException {
        assertThat(refusalOfARoleWithoutRights())
                .isInstanceOf(StoreSchemaException.class)
                .hasMessageContaining("may not create")
                .hasMessageContaining("CREATE on the database");
    }

    private Throwable refusalOfARoleWithoutRights() throws SQLException {
        execute("CREATE ROLE \"" + schema + "\" LOGIN PASSWORD 'secret'");
        var source = TestServer.admin();
        source.setUser(schema);
        source.setPassword("secret");
        try {
            return catchThrowable(() -> open(source, schema, true));
        } finally {
            execute("DROP ROLE \"" + schema + "\"");
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
    void renewalsAreHotUpdates() throws SQLException, InterruptedException {
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
        try (Connection connection = TestServer.admin().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            return result.next() ? result.getLong(1) : 0;
        }
    }

    private static String file() throws IOException {
        try (InputStream in = PostgreSql.class.getResourceAsStream("schema.sql")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void execute(String... all) throws SQLException {
        try (Connection connection = TestServer.admin().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : all) {
                boolean unused = statement.execute(sql);
            }
        }
    }
}
