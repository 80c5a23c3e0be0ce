package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

/** Plain SQL on a server, as another program would run it. */
final class Statements {

    private Statements() {}

    /** Runs statements, each in a transaction of its own. */
    static void run(DataSource source, String... texts) throws SQLException {
        try (Connection connection = source.getConnection()) {
            run(connection, texts);
        }
    }

    /** Runs statements on a connection. */
    static void run(Connection connection, String... texts) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : texts) {
                boolean unused = statement.execute(text);
            }
        }
    }

    /** Runs statements on the server of the tests. "@" stands for a schema. */
    static void runIn(String schema, String... texts) throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection()) {
            for (String text : texts) {
                run(connection, text.replace("@", schema + "."));
            }
        }
    }

    /** Returns the number that a query finds. */
    static long number(DataSource source, String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            if (!result.next()) {
                throw new AssertionError("No row: " + query);
            }
            return result.getLong(1);
        }
    }
}
