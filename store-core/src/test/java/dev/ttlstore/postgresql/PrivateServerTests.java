package dev.ttlstore.postgresql;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("postgresql")
class PrivateServerTests {

    private static PrivateServer server = start();

    private static PrivateServer start() {
        try {
            return PrivateServer.create();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeAll
    static void createTable() {
        server.execute("CREATE TABLE kept (value int)", "GRANT ALL ON kept TO " + PrivateServer.APPLICATION);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        assertThat(server.folder()).doesNotExist();
    }

    private static int count(PGSimpleDataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM kept")) {
            result.next();
            return result.getInt(1);
        }
    }

    private static void add(PGSimpleDataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO kept VALUES (1)");
        }
    }

    @Test
    void whatWasCommittedSurvivesAKillAndRestarts() throws Exception {
        int before = count(server.dataSource());
        add(server.dataSource());
        server.kill();
        assertThat(server.running()).isFalse();
        assertThatThrownBy(() -> server.dataSource().getConnection()).isInstanceOf(SQLException.class);
        server.start();
        assertThat(count(server.dataSource())).isEqualTo(before + 1);
        server.restart();
        server.stop(PrivateServer.Stop.IMMEDIATE);
        server.start();
        assertThat(count(server.dataSource())).isEqualTo(before + 1);
    }

    @Test
    void aStandbyFollowsAndTakesOver() throws Exception {
        Path folder = ServerFolders.fresh();
        try (PrivateServer standby = server.copyTo(folder)) {
            standby.start();
            add(server.dataSource());
            server.awaitReplayBy(standby);
            int before = count(server.dataSource());
            assertThat(count(standby.dataSource())).isEqualTo(before);
            assertThatThrownBy(() -> add(standby.dataSource())).isInstanceOf(SQLException.class);
            server.kill();
            standby.promote();
            add(standby.dataSource());
            assertThat(count(standby.dataSource())).isEqualTo(before + 1);
            server.start();
        }
    }

    @Test
    void theApplicationIsNoSuperuser() throws Exception {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
            assertThat(result.next()).isTrue();
            assertThat(result.getBoolean(1)).isFalse();
            statement.execute("CREATE SCHEMA of_its_own");
        }
        assertThat(requireNonNull(server.dataSource().getUser())).isEqualTo(PrivateServer.APPLICATION);
    }
}
