package dev.ttlstore.postgresql.campaign;

import java.io.IOException;
import java.nio.file.Path;
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
final class Cluster implements Servers {

    private final Path servers;
    private PrivateServer primary;
    private @Nullable PrivateServer standby;

    Cluster(Path servers) throws IOException {
        this.servers = servers;
        this.primary = PrivateServer.create();
        publish();
    }

    @Override
    public PGSimpleDataSource dataSource() {
        return primary.dataSource();
    }

    @Override
    public PGSimpleDataSource admin() {
        return primary.admin();
    }

    @Override
    public void crash(Runnable meanwhile) throws IOException {
        primary.kill();
        meanwhile.run();
        primary.start();
    }

    @Override
    public void prepareStandby() throws IOException, SQLException {
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

    @Override
    public void failOver(Runnable meanwhile) throws IOException {
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
        String hosts = "127.0.0.1:" + primary.port() + (second == null ? "" : ",127.0.0.1:" + second.port());
        Servers.publish(
                servers,
                "jdbc:postgresql://" + hosts + "/" + PrivateServer.DATABASE
                        + "?sslmode=disable&gssEncMode=disable&targetServerType=primary&hostRecheckSeconds=0",
                PrivateServer.APPLICATION,
                "");
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
