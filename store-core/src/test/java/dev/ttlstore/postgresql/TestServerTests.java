package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

@Tag("postgresql")
class TestServerTests {

    private static boolean exists(Statement statement, String schema) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT FROM pg_namespace WHERE nspname = '" + schema + "'")) {
            return result.next();
        }
    }

    @Test
    void aDroppedSchemaGoesSoon() throws SQLException {
        String schema = TestServer.freshSchema();
        try (Connection connection = TestServer.pool().getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(exists(statement, schema)).isFalse();
            statement.execute("CREATE SCHEMA " + schema);
            assertThat(exists(statement, schema)).isTrue();
            TestServer.drop(schema);
            assertThat(TestServer.freshSchema()).isNotEqualTo(schema).hasSizeLessThan(30);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(exists(statement, schema)).isFalse());
        }
    }

    @Test
    void anAdministratorEndsAConnection() throws SQLException {
        try (Connection victim = TestServer.dataSource().getConnection();
                Connection admin = TestServer.admin().getConnection();
                Statement statement = admin.createStatement()) {
            int process = victim.unwrap(org.postgresql.PGConnection.class).getBackendPID();
            statement.execute("SELECT pg_terminate_backend(" + process + ", 10000)");
            assertThat(victim.isValid(1)).isFalse();
        }
    }
}
