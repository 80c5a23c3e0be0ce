package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Store;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** A database that the store shares with roles that may do it harm. */
@Tag("postgresql")
class ForeignRoleTests {

    private final String database = TestServer.freshSchema();
    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    @BeforeEach
    void create() throws Exception {
        assumeFalse(TestServer.isGiven(), "only a superuser may create a database");
        execute("CREATE DATABASE \"" + database + "\" TEMPLATE template0");
        execute("GRANT CREATE ON DATABASE \"" + database + "\" TO " + PrivateServer.APPLICATION);
    }

    @AfterEach
    void drop() throws Exception {
        nodes.close();
        execute("DROP DATABASE IF EXISTS \"" + database + "\" WITH (FORCE)");
    }

    private static void execute(String text) throws SQLException {
        Statements.run(TestServer.admin(), text);
    }

    private PGSimpleDataSource inDatabase(PGSimpleDataSource source) {
        source.setDatabaseName(database);
        return source;
    }

    /** In {@code public}, everybody may create objects before PostgreSQL 15. */
    @Test
    void noStatementCallsWhatAnotherRoleHasPutIntoPublic() throws Exception {
        try (Connection other = inDatabase(TestServer.admin()).getConnection()) {
            ForeignObjects.create(other);
        }
        Map<String, String> called = new ConcurrentHashMap<>();
        StatementTap tap = new StatementTap(inDatabase(TestServer.dataSource()), statement -> {}, (text, failure) -> {
            String message = String.valueOf(failure.getMessage());
            if (message.contains(ForeignObjects.REFUSED)) {
                called.put(message, text);
            }
        });
        new FullUse(nodes, tap.source()).copyTo(TestServer.freshSchema());
        assertThat(called).isEmpty();
    }

    /** Also with the locks that the store took in its first layout. */
    @Test
    void rolesWithoutRightsOnTheTablesCannotStopWrites() throws Exception {
        Store store = nodes.open(nodes.pool(4, inDatabase(TestServer.dataSource())));
        execute("CREATE ROLE \"" + database + "\" LOGIN");
        try {
            PGSimpleDataSource source = inDatabase(TestServer.admin());
            source.setUser(database);
            try (Connection other = source.getConnection();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                int numbers = Sql.number(nodes.schema());
                boolean unused = statement.execute("SELECT pg_advisory_xact_lock(" + numbers + ", slot),"
                        + " pg_advisory_xact_lock((" + numbers + "::bigint << 32) + slot)"
                        + " FROM generate_series(-1, 100) slot");
                store.group("group").put("key", "value");
                store.transactWithoutResult(tx -> tx.group("group").put("key", "again"));
                assertThat(store.group("group").get("key")).contains("again");
                assertThatThrownBy(() -> TestServer.lockSlots(statement, nodes.schema()))
                        .hasMessageContaining("permission denied");
            }
        } finally {
            execute("DROP ROLE \"" + database + '"');
        }
    }
}
