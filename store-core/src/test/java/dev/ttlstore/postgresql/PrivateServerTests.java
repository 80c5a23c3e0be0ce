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

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("postgresql")
@Tag("crash")
class PrivateServerTests {

    private static final PrivateServer SERVER = start();

    private static PrivateServer start() {
        try {
            return PrivateServer.create();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeAll
    static void createTable() {
        SERVER.execute("CREATE TABLE kept (value int)", "GRANT ALL ON kept TO " + PrivateServer.APPLICATION);
    }

    @AfterAll
    static void stop() throws IOException {
        SERVER.close();
        assertThat(SERVER.folder()).doesNotExist();
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
        int before = count(SERVER.dataSource());
        add(SERVER.dataSource());
        SERVER.kill();
        assertThat(SERVER.running()).isFalse();
        assertThatThrownBy(() -> SERVER.dataSource().getConnection()).isInstanceOf(SQLException.class);
        SERVER.start();
        assertThat(count(SERVER.dataSource())).isEqualTo(before + 1);
        SERVER.restart();
        SERVER.stop(PrivateServer.Stop.IMMEDIATE);
        SERVER.start();
        assertThat(count(SERVER.dataSource())).isEqualTo(before + 1);
    }

    @Test
    void aStandbyFollowsAndTakesOver() throws Exception {
        Path folder = ServerFolders.fresh();
        try (PrivateServer standby = SERVER.copyTo(folder)) {
            standby.start();
            add(SERVER.dataSource());
            SERVER.awaitReplayBy(standby);
            int before = count(SERVER.dataSource());
            assertThat(count(standby.dataSource())).isEqualTo(before);
            assertThatThrownBy(() -> add(standby.dataSource())).isInstanceOf(SQLException.class);
            SERVER.kill();
            standby.promote();
            add(standby.dataSource());
            assertThat(count(standby.dataSource())).isEqualTo(before + 1);
            SERVER.start();
        }
    }

    @Test
    void theApplicationIsNoSuperuser() throws Exception {
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")) {
            assertThat(result.next()).isTrue();
            assertThat(result.getBoolean(1)).isFalse();
            statement.execute("CREATE SCHEMA of_its_own");
        }
        assertThat(requireNonNull(SERVER.dataSource().getUser())).isEqualTo(PrivateServer.APPLICATION);
    }
}
