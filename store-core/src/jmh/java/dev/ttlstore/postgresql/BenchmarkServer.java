package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.benchmark.server.Folder;

/** A PostgreSQL server on a disk, and a pool of connections that the store and the statements by hand share. */
final class BenchmarkServer implements AutoCloseable {

    /** As many connections as Hikari opens if nobody says otherwise. */
    static final int CONNECTIONS = 10;

    private final Folder folder;
    private final PrivateServer server;
    private final HikariDataSource pool;

    /**
     * Starts it.
     *
     * @param fsync "on" if a commit waits for the disk, as in production
     */
    BenchmarkServer(String fsync) {
        folder = new Folder();
        try {
            server = PrivateServer.create(folder.path().resolve("data"), Map.of("fsync", fsync, "max_wal_size", "4GB"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        pool = pool(server.dataSource());
    }

    /** Creates a pool, which the caller closes. */
    static HikariDataSource pool(DataSource source) {
        return TestServer.pool("benchmark", CONNECTIONS, source);
    }

    HikariDataSource pool() {
        return pool;
    }

    PrivateServer server() {
        return server;
    }

    /** Opens a store whose purges come when they are called for. */
    Store store() {
        return store(pool);
    }

    static Store store(DataSource source) {
        return Store.builder()
                .engine(PostgreSql.on(source))
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .open();
    }

    /** Runs statements by the superuser. */
    void admin(String... statements) {
        server.execute(statements);
    }

    /** Runs statements by the role that the store has. */
    void execute(String... statements) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads one number by a query of the superuser. */
    long number(String query) {
        try (Connection connection = server.admin().getConnection();
                PreparedStatement statement = connection.prepareStatement(query);
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        pool.close();
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        folder.close();
    }
}
