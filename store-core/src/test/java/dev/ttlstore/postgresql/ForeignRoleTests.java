package dev.ttlstore.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Store;

import static dev.ttlstore.contract.Assertions.assertThat;
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
        execute(TestServer.admin(), text);
    }

    private static void execute(DataSource source, String text) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
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

    /** The end of schema.sql says how the right is taken from them. */
    @Test
    void rolesWithoutTheRightToLockCannotStopWrites() throws Exception {
        PGSimpleDataSource admin = inDatabase(TestServer.admin());
        execute(admin, statementsAboutLocks());
        execute("CREATE ROLE \"" + database + "\" LOGIN");
        try {
            PGSimpleDataSource other = inDatabase(TestServer.admin());
            other.setUser(database);
            try (Connection connection = other.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rights = statement.executeQuery(
                            "SELECT string_agg(p.oid::regprocedure::text, ' ') FROM pg_proc p"
                                    + " WHERE p.proname ~ 'advisory.*_lock' AND has_function_privilege(p.oid, 'EXECUTE')")) {
                assertThat(rights.next()).isTrue();
                assertThat(rights.getString(1)).isNull();
            }
            Store store = nodes.open(nodes.pool(4, inDatabase(TestServer.dataSource())));
            store.group("group").put("key", "value");
            store.transactWithoutResult(tx -> tx.group("group").put("key", "again"));
            assertThat(store.group("group").get("key")).contains("again");
        } finally {
            execute("DROP ROLE \"" + database + '"');
        }
    }

    private static String statementsAboutLocks() throws IOException {
        try (InputStream script = Objects.requireNonNull(PostgreSql.class.getResourceAsStream("schema.sql"))) {
            String statements = new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.contains("EXECUTE ON FUNCTION"))
                    .map(line -> line.substring("--".length()))
                    .collect(Collectors.joining());
            return statements.replace("the_role", PrivateServer.APPLICATION);
        }
    }
}
