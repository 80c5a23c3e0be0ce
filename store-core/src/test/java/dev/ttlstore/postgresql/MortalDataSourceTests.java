package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

import com.zaxxer.hikari.HikariDataSource;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("postgresql")
class MortalDataSourceTests {

    private static void ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        }
    }

    @Test
    void itsDeathCutsItsOwnConnectionsOnly() throws SQLException {
        try (HikariDataSource pool = TestServer.pool("mortal", 3)) {
            MortalDataSource mortal = new MortalDataSource(pool);
            MortalDataSource other = new MortalDataSource(pool);
            mortal.getConnection().close();
            assertThat(mortal.connections()).isZero();
            try (Connection ended = mortal.getConnection();
                    Connection connection = other.getConnection()) {
                assertThat(ended.unwrap(PGConnection.class).getBackendPID()).isPositive();
                mortal.kill();
                assertThatThrownBy(() -> ask(ended)).isInstanceOf(SQLException.class);
                assertThatThrownBy(mortal::getConnection).hasMessage("this process has died");
                ask(connection);
            }
            for (int i = 0; i < 10; i++) {
                try (Connection connection = other.getConnection()) {
                    ask(connection);
                }
            }
        }
    }

    @Test
    void itsConnectionsCanBeCutWithoutItsDeath() throws SQLException {
        MortalDataSource mortal = new MortalDataSource(TestServer.pool());
        AtomicInteger asked = new AtomicInteger();
        mortal.beforeConnections(asked::incrementAndGet);
        try (Connection connection = mortal.getConnection()) {
            mortal.cut();
            assertThatThrownBy(() -> ask(connection)).isInstanceOf(SQLException.class);
        }
        try (Connection connection = mortal.getConnection()) {
            ask(connection);
        }
        assertThat(asked).hasValue(2);
    }
}
