package dev.ttlstore.cli;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The connections of a command to a database. Only this class needs HikariCP. */
final class ConnectionPool implements AutoCloseable {

    /** As PostgreSQL's own programs name it. */
    private static final String PASSWORD = "PGPASSWORD";

    private static final int CONNECTIONS = 4;

    private final HikariDataSource pool;

    private ConnectionPool(HikariDataSource pool) {
        this.pool = pool;
    }

    static ConnectionPool to(String url, @Nullable String user, char @Nullable [] password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setPoolName("ttl-store");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        if (user != null) {
            config.setUsername(user);
        }
        String secret = password == null ? System.getenv(PASSWORD) : new String(password);
        if (secret != null) {
            config.setPassword(secret);
        }
        return new ConnectionPool(new HikariDataSource(config));
    }

    DataSource dataSource() {
        return pool;
    }

    @Override
    public void close() {
        pool.close();
    }
}
