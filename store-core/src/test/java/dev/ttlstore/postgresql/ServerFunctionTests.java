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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreSchemaException;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Stores whose server has the functions for commits, or not, or others. */
@Tag("postgresql")
class ServerFunctionTests extends OwnSchema {

    static final List<String> FUNCTIONS = List.of("apply_1", "apply_one_1", "count_1");

    private String drop(String function) {
        return "DROP FUNCTION \"" + schema + "\"." + function;
    }

    /** Returns the texts that a put takes. */
    private List<String> textsOfAPut(boolean initialize) {
        return textsOfAPut(TestServer.dataSource(), initialize);
    }

    private List<String> textsOfAPut(DataSource source, boolean initialize) {
        List<String> texts = new CopyOnWriteArrayList<>();
        try (Store store = open(ServerCommitTests.recording(source, texts), schema, initialize)) {
            TextGroup group = store.group("group");
            group.put("warm", "up");
            return ServerCommitTests.ofStore(texts, () -> group.put("key", "value"));
        }
    }

    @Test
    void areCreatedWithTheTables() {
        assertThat(textsOfAPut(true)).singleElement().asString().contains("apply_one_1");
    }

    @Test
    void areAddedToTablesOfAnEarlierVersion() throws SQLException {
        open(true).close();
        for (String function : FUNCTIONS) {
            execute(drop(function));
        }
        assertThat(textsOfAPut(true)).singleElement().asString().contains("apply_one_1");
    }

    @Test
    @Promise({1, 2, 10, 13})
    void withoutThemAllWritesWorkAndTheLogSaysWhatIsMissing() throws Exception {
        open(true).close();
        execute(drop("count_1"));
        try (LogRecorder recorder = new LogRecorder(ServerFunction.class.getName(), Level.INFO);
                Store store = open(false)) {
            assertThat(recorder.messages()).singleElement().asString().contains("functions.sql", "is missing");
            TextGroup group = store.group("group");
            Counters counters = store.counters("numbers");
            group.put("key", "a", Duration.ofHours(1));
            assertThat(group.replace("key", "a", "b")).isPresent();
            assertThat(counters.increment("key") + counters.increment("key")).isEqualTo(3);
            assertThat(group.take("key")).contains("b");
            store.check();
        }
        assertThat(textsOfAPut(false)).hasSize(2).noneMatch(text -> text.contains(".apply_"));
    }

    /** Nobody else may do anything in the schema, and the role may do nothing else. */
    @Test
    @Promise({10, 19})
    void theRightsThatTheFilesListAreEnoughForAllOfThem() throws SQLException, IOException {
        String files = (file() + functions()).replace("ttl_store", schema);
        execute(files);
        execute("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA \"" + schema + "\" FROM PUBLIC");
        execute("CREATE ROLE \"" + schema + "\" LOGIN PASSWORD 'secret' NOSUPERUSER NOCREATEDB NOCREATEROLE");
        List<String> rights = files.lines()
                .filter(line -> line.startsWith("-- GRANT "))
                .map(line -> line.substring(3).replace("the_role", schema))
                .toList();
        assertThat(rights).hasSize(3);
        execute(rights.toArray(String[]::new));
        PGSimpleDataSource source = TestServer.admin();
        source.setUser(schema);
        source.setPassword("secret");
        try (Store store = open(source, schema, false)) {
            assertThat(textsOfAPut(source, false)).singleElement().asString().contains("apply_one_1");
            TextGroup limited = store.scope("tenant", new Quota(10, 0, 0)).group("group");
            limited.put("first", "counts the namespace");
            limited.put("key", "value");
            limited.putAll(Map.of("a", "b", "c", "d"), Expiry.never());
            assertThat(store.counters("numbers").increment("key")).isEqualTo(1);
            assertThat(limited.take("key")).contains("value");
            store.check();
            assertThat(lockedCommits(store)).containsOnly(Map.entry("quota", 1L));
        } finally {
            execute("DROP OWNED BY \"" + schema + "\" CASCADE");
            execute("DROP ROLE \"" + schema + "\"");
        }
    }

    @Test
    void theRoleThatMayNotExecuteThemDoesWithout() throws SQLException, IOException {
        execute(file().replace("ttl_store", schema), functions().replace("ttl_store", schema));
        execute("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA \"" + schema + "\" FROM PUBLIC");
        execute("CREATE ROLE \"" + schema + "\" LOGIN PASSWORD 'secret' NOSUPERUSER");
        execute("GRANT USAGE ON SCHEMA \"" + schema + "\" TO \"" + schema + "\"");
        execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"" + schema + "\" TO \"" + schema
                + "\"");
        PGSimpleDataSource source = TestServer.admin();
        source.setUser(schema);
        source.setPassword("secret");
        try (LogRecorder recorder = new LogRecorder(ServerFunction.class.getName(), Level.INFO);
                Store store = open(source, schema, true)) {
            store.group("group").put("key", "value");
            assertThat(store.group("group").get("key")).contains("value");
            assertThat(recorder.messages()).singleElement().asString().contains("may not be executed");
        } finally {
            execute("DROP OWNED BY \"" + schema + "\" CASCADE");
            execute("DROP ROLE \"" + schema + "\"");
        }
    }

    @Test
    void thoseOfSomebodyElseAreNotCalled() throws SQLException {
        open(true).close();
        execute("ALTER FUNCTION \"" + schema + "\".apply_one_1 SET search_path = public");
        assertThat(textsOfAPut(false)).noneMatch(text -> text.contains(".apply_"));
        assertThat(textsOfAPut(true)).singleElement().asString().contains("apply_one_1");
    }

    @Test
    @Promise(1)
    void whatIsLostMeanwhileIsDoneWithout() throws SQLException {
        try (LogRecorder recorder = new LogRecorder(ServerFunction.class.getName(), Level.INFO);
                Store store = open(true)) {
            TextGroup group = store.group("group");
            group.put("key", "a");
            execute(drop("apply_one_1"));
            assertThat(group.replace("key", "a", "b")).isPresent();
            assertThat(group.get("key")).contains("b");
            assertThat(recorder.messages()).singleElement().asString().contains("more round trips");
        }
    }

    @Test
    void aCheckNoticesWhatIsLostOrChanged() throws SQLException {
        for (String change : List.of(
                drop("count_1"),
                drop("apply_one_1"),
                "ALTER FUNCTION \"" + schema + "\".apply_1 SET enable_seqscan = on",
                "ALTER FUNCTION \"" + schema + "\".apply_1 SECURITY DEFINER",
                "ALTER FUNCTION \"" + schema + "\".apply_one_1 STRICT",
                "ALTER FUNCTION \"" + schema + "\".apply_1 STABLE",
                "CREATE FUNCTION \"" + schema + "\".count_1() RETURNS void LANGUAGE sql AS ''")) {
            try (Store store = open(true)) {
                store.check();
                execute(change);
                for (int i = 0; i < 2; i++) { // until somebody mends it, though writes go on under locks
                    store.group("group").put("key", "value");
                    assertThatThrownBy(store::check)
                            .isInstanceOf(StoreSchemaException.class)
                            .hasMessageContaining("functions.sql");
                }
            }
            execute("DROP FUNCTION IF EXISTS \"" + schema + "\".count_1()");
        }
    }

    @Test
    void theReasonsWhyTheServerDoesNotDecideAreCounted() {
        try (Store store = open(true)) {
            store.group("group").put("key", "value");
            assertThat(lockedCommits(store)).isEmpty();
            assertThat(store.group("group")
                            .async()
                            .getAndExpire("key", Expiry.never())
                            .join())
                    .contains("value");
            assertThat(store.group("group").async().take("key").join()).contains("value");
            assertThat(lockedCommits(store)).isEmpty();
            long unused = store.group("group").clear();
            assertThat(lockedCommits(store)).containsOnly(Map.entry("caller-code", 1L));
        }
    }

    /** As Citus 10, which has no list of distributed functions. */
    @Test
    void aDatabaseThatCannotDistributeFunctionsCountsAsOneWithoutThem() throws SQLException {
        assumeFalse(TestServer.isDistributed(), "it can");
        open(true).close();
        ServerFunction function = new ServerFunction(schema);
        try (Connection connection = TestServer.pool().getConnection()) {
            assertThat(function.look(connection, false)).isEqualTo(ServerFunction.State.THERE);
            assertThat(function.look(connection, true)).isEqualTo(ServerFunction.State.MISSING);
            assertThat(function.isThere()).isFalse();
        }
    }

    /** As a worker of Citus does. */
    @Test
    void aServerThatReportsAFaultForTheirCreationIsUsedWithoutThem() throws SQLException {
        open(true).close();
        execute(drop("apply_one_1"));
        execute("""
                CREATE FUNCTION "%1$s".refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE schema_name = '%1$s') THEN
                        RAISE EXCEPTION 'operation is not allowed on this node' USING ERRCODE = 'XX000';
                    END IF;
                END $$""".formatted(schema));
        execute(
                "CREATE EVENT TRIGGER \"%1$s\" ON ddl_command_end WHEN TAG IN ('CREATE FUNCTION') EXECUTE FUNCTION \"%1$s\".refuse()"
                        .formatted(schema));
        try (Store store = open(true)) {
            store.group("group").put("key", "value");
            assertThat(store.group("group").get("key")).contains("value");
        } finally {
            execute("DROP EVENT TRIGGER \"" + schema + "\"");
        }
    }

    @Test
    @Promise(11)
    void manyOperationsTakeLocksIfThatIsFasterThanTheDecisionsOfTheServer() {
        TestServer.assumeNoLockIsNeeded();
        try (Store store = Store.builder()
                .engine(PostgreSql.on(TestServer.pool())
                        .schema(schema)
                        .decisionNanos(Duration.ofHours(1).toNanos()))
                .open()) {
            store.group("group").put("key", "value");
            assertThat(lockedCommits(store)).isEmpty();
            store.group("group").putAll(Map.of("first", "1", "second", "2"), Expiry.never());
            assertThat(lockedCommits(store)).containsOnly(Map.entry("nearby", 1L));
            assertThat(store.group("group").count()).isEqualTo(3);
        }
    }

    /** As after an update, if an instance of the version before starts once more. */
    @Test
    @Promise(11)
    void whatAFunctionOfAnEarlierVersionDoesNotKnowTakesLocks() throws IOException, SQLException {
        try (Store store = open(true)) {
            execute(functions().replace("ttl_store", schema).replace("code & 15 > 6", "code & 15 > 0"));
            TextGroup group = store.group("group");
            group.put("key", "value");
            assertThat(lockedCommits(store)).isEmpty();
            assertThat(group.putIfAbsent("key", "other", Expiry.never())).isEmpty();
            assertThat(store.batch()
                            .requirePresent(group, "key")
                            .put(group, "key", "later", Expiry.never())
                            .write())
                    .isTrue();
            assertThat(group.get("key")).contains("later");
            assertThat(lockedCommits(store)).isEqualTo(alsoForSeveral("unknown"));
        }
    }

    /** After a restart of the server, and after a step of its clock, which no test can do to a server that others use. */
    @ParameterizedTest
    @CsvSource({
        "server, pg_postmaster_start_time(), pg_postmaster_start_time() + '1 s'::interval",
        "clock, clock_timestamp(), clock_timestamp() + '2 h'::interval",
        "clock, clock_timestamp(), clock_timestamp() - '2 h'::interval"
    })
    @Promise({1, 9, 13})
    void aServerOtherThanTheNodeKnowsDecidesNothing(String reason, String known, String other)
            throws IOException, SQLException {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        try (Store store = open(true)) {
            TextGroup group = store.group("group");
            group.put("key", "value");
            execute(functions().replace("ttl_store", schema).replace(known, other));
            long before = rowsOfTheLog();
            store.onChange(told::add);
            long version = group.put("key", "other");
            assertThat(lockedCommits(store)).containsExactly(Map.entry(reason, 1L));
            group.putAll(Map.of("first", "1", "second", "2"), Expiry.never());
            assertThat(lockedCommits(store)).isEqualTo(alsoForSeveral(reason));
            assertThat(rowsOfTheLog()).isEqualTo(before + 2);
            assertThat(group.entry("key").orElseThrow().version()).isEqualTo(version);
            assertThat(group.getAll())
                    .containsOnly(Map.entry("key", "other"), Map.entry("first", "1"), Map.entry("second", "2"));
            assertThat(told).hasSize(3);
        }
    }

    /** It was made, and running it again would count twice. */
    @Test
    @Promise({8, 10})
    void aCommitThatTheServerDecidesOtherwiseThanTheNodeHasAnUnknownOutcome() throws IOException, SQLException {
        try (Store store = open(true)) {
            Counters counters = store.counters("numbers");
            assertThat(counters.increment("key")).isEqualTo(1);
            execute(functions()
                    .replace("ttl_store", schema)
                    .replace("greatest(first, next - 1)", "greatest(first, next + 1)")
                    .replace("greatest(first[k], numbers[k] - 1)", "greatest(first[k], numbers[k] + 1)"));
            assertThatThrownBy(() -> counters.increment("key")).isInstanceOf(OutcomeUnknownException.class);
            if (TestServer.isDistributed()) {
                counters.putAll(Map.of("first", 1L, "second", 2L), Expiry.never());
            } else {
                assertThatThrownBy(() -> counters.putAll(Map.of("first", 1L, "second", 2L), Expiry.never()))
                        .isInstanceOf(OutcomeUnknownException.class);
            }
            assertThat(counters.getAll())
                    .containsOnly(Map.entry("key", 2L), Map.entry("first", 1L), Map.entry("second", 2L));
        }
    }

    @Test
    @Promise(11)
    void whatCouldNotBeCalledIsCalledAgainLater() throws SQLException {
        open(true).close();
        AtomicLong nanos = new AtomicLong();
        ServerFunction function = new ServerFunction(schema, nanos::get);
        try (Connection connection = TestServer.pool().getConnection()) {
            assertThat(function.look(connection, TestServer.isDistributed())).isEqualTo(ServerFunction.State.THERE);
        }
        function.lost(new SQLException("permission denied", "42501"));
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(function.isThere()).isFalse();
        nanos.incrementAndGet();
        assertThat(function.isThere()).isTrue();
        function.lost(new SQLException("permission denied", "42501"));
        assertThat(function.isThere()).isFalse();
    }

    /** After a commit of one operation and one of several: on Citus, these take locks anyway. */
    private static Map<String, Long> alsoForSeveral(String reason) {
        return TestServer.isDistributed() ? Map.of(reason, 1L, "tables", 1L) : Map.of(reason, 2L);
    }

    private static Map<String, Long> lockedCommits(Store store) {
        return Objects.requireNonNull(store.stats().shared()).lockedCommits();
    }

    private long rowsOfTheLog() throws SQLException {
        try (Connection connection = TestServer.admin().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM \"" + schema + "\".log")) {
            result.next();
            return result.getLong(1);
        }
    }

    private static String functions() throws IOException {
        try (InputStream in = PostgreSql.class.getResourceAsStream("functions.sql")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
