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

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** A database in which another role may create objects, as in {@code public} before PostgreSQL 15. */
@Tag("postgresql")
class ForeignObjectsTests {

    private final String database = TestServer.freshSchema();
    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    @BeforeEach
    void create() throws Exception {
        assumeFalse(TestServer.isGiven(), "only a superuser may create a database");
        execute("CREATE DATABASE \"" + database + "\" TEMPLATE template0");
        execute("GRANT CREATE ON DATABASE \"" + database + "\" TO " + PrivateServer.APPLICATION);
        PGSimpleDataSource other = TestServer.admin();
        other.setDatabaseName(database);
        try (Connection connection = other.getConnection()) {
            ForeignObjects.create(connection);
        }
    }

    @AfterEach
    void drop() throws Exception {
        nodes.close();
        execute("DROP DATABASE IF EXISTS \"" + database + "\" WITH (FORCE)");
    }

    private static void execute(String text) throws SQLException {
        try (Connection connection = TestServer.admin().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    @Test
    void noStatementCallsWhatAnotherRoleHasPutIntoPublic() throws Exception {
        PGSimpleDataSource source = TestServer.dataSource();
        source.setDatabaseName(database);
        Map<String, String> called = new ConcurrentHashMap<>();
        StatementTap tap = new StatementTap(source, statement -> {}, (text, failure) -> {
            String message = String.valueOf(failure.getMessage());
            if (message.contains(ForeignObjects.REFUSED)) {
                called.put(message, text);
            }
        });
        new FullUse(nodes, tap.source()).copyTo(TestServer.freshSchema());
        assertThat(called).isEmpty();
    }
}
