package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** A leap of the server's own clock, in front of which a function stands that moves it. */
@Tag("postgresql")
@Promise(5)
class ServerLeapTests {

    private static final Duration LEAD = Duration.ofDays(3_650);

    private static final Duration TTL = Duration.ofMinutes(1);

    private final Nodes nodes = new Nodes();
    private final String clock = TestServer.freshSchema();

    @BeforeEach
    void createClock() throws SQLException {
        assumeFalse(TestServer.isDistributed(), "the server of a slot has a clock of its own there");
        run("""
                CREATE SCHEMA @;
                CREATE TABLE @.clock (lead interval);
                INSERT INTO @.clock VALUES ('0');
                CREATE FUNCTION @.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE plpgsql AS
                    'BEGIN RETURN pg_catalog.clock_timestamp() + (SELECT lead FROM @.clock); END'
                """);
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
        TestServer.drop(clock);
    }

    private void run(String text) throws SQLException {
        Statements.run(TestServer.dataSource(), text.replace("@", clock));
    }

    private void set(Duration lead) throws SQLException {
        run("UPDATE @.clock SET lead = interval '" + lead.toSeconds() + " seconds'");
    }

    private HikariDataSource pool() {
        PGSimpleDataSource source = TestServer.dataSource();
        source.setOptions("-c search_path=" + clock + ",pg_catalog");
        return nodes.pool(4, source);
    }

    /** Opens a store whose writes ask the clock that is moved: the functions of the server would ask its own. */
    private Store openWithoutFunctions(HikariDataSource pool) throws SQLException {
        Store store = nodes.open(pool);
        for (String function : ServerFunctionTests.FUNCTIONS) {
            Statements.run(TestServer.dataSource(), "DROP FUNCTION \"" + nodes.schema() + "\"." + function);
        }
        store.group("group").put("before", "value");
        return store;
    }

    private static void putAhead(Store store) {
        store.group("group").put("key", "value", TTL);
        assertThat(store.group("group").entry("key").map(Entry::createdAt))
                .hasValueSatisfying(
                        created -> assertThat(created).isAfter(Instant.now().plus(LEAD.dividedBy(2))));
    }

    private static void requireMended(Store store) {
        store.purgeExpired();
        assertThat(store.group("group").entry("key").map(Entry::ttl))
                .hasValueSatisfying(ttl -> assertThat(ttl).isBetween(Duration.ZERO, TTL));
    }

    @Test
    void whatANodeWroteThatWasKilledAtOnceIsMended() throws Exception {
        HikariDataSource pool = pool();
        Store store = openWithoutFunctions(pool);
        set(LEAD);
        putAhead(store);
        pool.close(); // so that it cannot write anything more
        set(Duration.ZERO);
        requireMended(nodes.open(pool()));
    }

    @Test
    void aNodeThatOnlyReadsIsNotAheadAgainOnceTheClockIsRight() throws Exception {
        Store store = openWithoutFunctions(pool());
        set(LEAD);
        putAhead(store);
        set(Duration.ZERO);
        requireMended(store);
        for (int i = 0; i < 20; i++) {
            assertThat(store.group("group").get("key")).isPresent();
            assertThat(store.stats().clockLead()).isNull();
        }
    }
}
