package dev.ttlstore.sqlite;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.sqlite.Statements.Prepared;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PreparedTests {

    private Connection connection;
    private Prepared statement;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(SqliteSession.MEMORY);
        statement = new Prepared(connection.prepareStatement("SELECT abs(?) AS one, 2 AS two"));
    }

    @AfterEach
    void close() throws SQLException {
        statement.close();
        connection.close();
    }

    @Test
    void eachRunAnswersByItsParameters() throws SQLException {
        for (int i = 0; i < 3; i++) {
            try (ResultSet result = query(i)) {
                assertThat(result.next()).isTrue();
                assertThat(result.getInt(1)).isEqualTo(i);
                assertThat(result.getInt(2)).isEqualTo(2);
                assertThat(result.next()).isFalse();
            }
        }
    }

    @Test
    void columnsHaveTheirNamesInEachRun() throws SQLException {
        for (int i = 0; i < 3; i++) {
            try (ResultSet result = query(i)) {
                assertThat(result.next()).isTrue();
                assertThat(result.getInt("one")).isEqualTo(i);
                assertThat(result.getMetaData().getColumnName(2)).isEqualTo("two");
            }
        }
    }

    @Test
    void aRunThatFailsIsTold() throws SQLException {
        query(1).close();
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> query(Long.MIN_VALUE)) // which has no absolute value
                .withMessageContaining("overflow");
    }

    @Test
    void aResultThatWasNotReadToItsEndIsGivenUp() throws SQLException {
        assertThat(query(1).next()).isTrue();
        try (ResultSet result = query(2)) {
            assertThat(result.next()).isTrue();
            assertThat(result.getInt(1)).isEqualTo(2);
        }
    }

    private ResultSet query(long parameter) throws SQLException {
        statement.statement().setLong(1, parameter);
        return statement.query();
    }
}
