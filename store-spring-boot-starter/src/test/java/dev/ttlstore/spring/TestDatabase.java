package dev.ttlstore.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * The one PostgreSQL server that the tests of a JVM share. It starts when it is first needed, and stops with the JVM. Each test
 * has a schema or a database of its own.
 */
public final class TestDatabase {

    /** A role that may create schemas and is otherwise without rights, as an application's. */
    public static final String USER = "application";

    private static final String MAIN = "postgres";

    private static final AtomicInteger NAMES = new AtomicInteger();

    private TestDatabase() {}

    private static final class Started {

        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                EmbeddedPostgres server = EmbeddedPostgres.builder().start();
                execute(
                        server,
                        MAIN,
                        "CREATE ROLE " + USER + " LOGIN",
                        "GRANT CREATE ON DATABASE " + MAIN + " TO " + USER);
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns the URL of the database in which each test has a schema. */
    public static String url() {
        return url(MAIN);
    }

    /** Returns the URL of a database. */
    public static String url(String database) {
        return "jdbc:postgresql://localhost:" + Started.SERVER.getPort() + "/" + database;
    }

    /** Creates a data source of the application's role, without a pool. */
    public static PGSimpleDataSource dataSource() {
        return dataSource(USER);
    }

    /** Creates a data source of a role, without a pool. */
    public static PGSimpleDataSource dataSource(String user) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url());
        source.setUser(user);
        return source;
    }

    /** Returns what a container with a service connection brings, for the application's role. */
    public static JdbcConnectionDetails connectionDetails() {
        return new JdbcConnectionDetails() {
            @Override
            public String getUsername() {
                return USER;
            }

            @Override
            public String getPassword() {
                return "";
            }

            @Override
            public String getJdbcUrl() {
                return url();
            }
        };
    }

    /** Returns the properties of an application that keeps its store in a schema. */
    public static String[] properties(String schema) {
        return new String[] {
            "store.engine=postgresql",
            "store.postgresql.schema=" + schema,
            "spring.datasource.url=" + url(),
            "spring.datasource.username=" + USER,
            "spring.datasource.hikari.maximum-pool-size=5",
            "spring.datasource.hikari.minimum-idle=0"
        };
    }

    /** Returns a name for a schema, a role or a database that does not exist. */
    public static String freshName() {
        return "test_" + NAMES.incrementAndGet();
    }

    /** Creates a database in which the application's role may create schemas. */
    public static String freshDatabase() {
        String name = freshName();
        execute("CREATE DATABASE " + name, "GRANT CREATE ON DATABASE " + name + " TO " + USER);
        return name;
    }

    /** Runs statements as the superuser. */
    public static void execute(String... statements) {
        execute(Started.SERVER, MAIN, statements);
    }

    private static void execute(EmbeddedPostgres server, String database, String... statements) {
        try (Connection connection = server.getDatabase("postgres", database).getConnection();
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
