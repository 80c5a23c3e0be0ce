package dev.ttlstore.postgresql.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.postgresql.PrivateServer;
import dev.ttlstore.postgresql.ServerFolders;

/** The primary server and its standby, and the file that tells the nodes of them. Not thread-safe. */
final class Cluster implements AutoCloseable {

    private final Path servers;
    private PrivateServer primary;
    private @Nullable PrivateServer standby;

    Cluster(Path servers) throws IOException {
        this.servers = servers;
        this.primary = PrivateServer.create();
        publish();
    }

    PGSimpleDataSource dataSource() {
        return primary.dataSource();
    }

    PGSimpleDataSource admin() {
        return primary.admin();
    }

    /** Kills the primary and starts it again. */
    void crash(Runnable meanwhile) throws IOException {
        primary.kill();
        meanwhile.run();
        primary.start();
    }

    /** Starts a standby. From now on, a commit is acknowledged when the standby has it, too. */
    void prepareStandby() throws IOException, SQLException {
        PrivateServer next = primary.copyTo(ServerFolders.fresh());
        standby = next;
        next.start();
        primary.awaitReplayBy(next);
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(this::isSynchronous);
        publish();
    }

    private boolean isSynchronous() throws SQLException {
        try (Connection connection = primary.admin().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")) {
            return result.next() && result.getInt(1) == 1;
        }
    }

    /** Kills the primary for good, and lets the standby take over. */
    void failOver(Runnable meanwhile) throws IOException {
        PrivateServer next = standby;
        if (next == null) {
            throw new IllegalStateException("There is no standby");
        }
        primary.kill();
        meanwhile.run();
        next.promote();
        primary.close();
        primary = next;
        standby = null;
        publish();
    }

    private void publish() throws IOException {
        PrivateServer second = standby;
        String text = "127.0.0.1:" + primary.port() + (second == null ? "" : ",127.0.0.1:" + second.port());
        Path draft = Files.writeString(servers.resolveSibling("servers.draft"), text);
        Files.move(draft, servers, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        PrivateServer second = standby;
        if (second != null) {
            second.close();
        }
        primary.close();
    }
}
