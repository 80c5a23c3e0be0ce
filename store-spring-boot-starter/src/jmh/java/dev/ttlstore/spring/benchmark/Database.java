package dev.ttlstore.spring.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import com.zaxxer.hikari.HikariDataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** A PostgreSQL server, and the pool of connections that the store and its peers share. */
final class Database implements AutoCloseable {

    /** Enough for eight callers, and for what the store does beside them. */
    private static final int CONNECTIONS = 16;

    private final EmbeddedPostgres server;
    private final @Nullable DelayingProxy network;
    private final HikariDataSource pool;
    private final DataSource source;

    /**
     * Starts it.
     *
     * @param folder the folder for its data
     * @param fsync "on" if commits wait for the disk
     * @param eachWay how long a message takes, in each direction; if it is zero, there is no network in between
     * @param wrapper wraps the pool
     */
    Database(Path folder, String fsync, Duration eachWay, UnaryOperator<DataSource> wrapper) {
        try {
            server = EmbeddedPostgres.builder()
                    .setDataDirectory(folder)
                    .setServerConfig("fsync", fsync)
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_wal_size", "4GB")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        network = eachWay.isZero() ? null : new DelayingProxy(server.getPort(), eachWay);
        pool = new HikariDataSource();
        pool.setJdbcUrl(url());
        pool.setUsername("postgres");
        pool.setMaximumPoolSize(CONNECTIONS);
        source = wrapper.apply(pool);
        String set = jdbc().queryForObject("SHOW fsync", String.class);
        Race.require(fsync.equals(set), "fsync is " + set);
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + (network == null ? server.getPort() : network.port()) + "/postgres";
    }

    DataSource pool() {
        return source;
    }

    JdbcTemplate jdbc() {
        return new JdbcTemplate(source);
    }

    PlatformTransactionManager transactions() {
        return new JdbcTransactionManager(source);
    }

    /** Runs a script of a library. */
    void script(String path) {
        DatabasePopulatorUtils.execute(new ResourceDatabasePopulator(new ClassPathResource(path)), source);
    }

    @Override
    public void close() {
        pool.close();
        if (network != null) {
            network.close();
        }
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
