package dev.ttlstore.sqlite;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SqliteStatementTests {

    private Connection connection;
    private SqliteStatement statement;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(SqliteSession.MEMORY);
        statement = new SqliteStatement(
                connection.prepareStatement("SELECT abs(?) AS one, 2 AS two UNION ALL SELECT 3, 4"),
                new SqliteErrors("in memory")::translate);
    }

    @AfterEach
    void close() throws SQLException {
        statement.close();
        connection.close();
    }

    @Test
    void eachRunAnswersByItsParameters() {
        for (int i = 0; i < 3; i++) {
            assertThat(query(i).list(row -> row.getInt(1) + " " + row.getInt(2)))
                    .containsExactly(i + " 2", "3 4");
        }
    }

    @Test
    void columnsHaveTheirNamesInEachRun() {
        for (int i = 0; i < 3; i++) {
            String names = query(i).one(
                            row -> row.getInt("one") + " " + row.getMetaData().getColumnName(2));
            assertThat(names).isEqualTo(i + " two");
        }
    }

    @Test
    void aRunThatFailsIsTold() {
        assertThat(query(1).list(row -> row.getInt(1))).hasSize(2);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> query(Long.MIN_VALUE).list(row -> row.getInt(1))) // which has no absolute value
                .withMessageContaining("overflow");
    }

    @Test
    void aResultThatWasNotReadToItsEndIsGivenUp() {
        assertThat(query(1).until(row -> true)).isTrue();
        assertThat(query(2).<Integer>first(row -> row.getInt(1))).isEqualTo(2);
    }

    private SqliteStatement query(long parameter) {
        return statement.begin().number(parameter);
    }
}
