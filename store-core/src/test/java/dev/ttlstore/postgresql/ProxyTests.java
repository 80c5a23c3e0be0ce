package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("postgresql")
class ProxyTests {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String schema = TestServer.freshSchema();
    private final Proxy proxy = proxy();

    private static Proxy proxy() {
        try {
            return TestServer.proxy();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeEach
    void createTable() throws SQLException {
        Statements.run(TestServer.dataSource(), "CREATE SCHEMA " + schema, "CREATE TABLE " + schema + ".t (value int)");
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        TestServer.drop(schema);
    }

    private Connection connect() throws SQLException {
        return TestServer.through(proxy).getConnection();
    }

    private int count() throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection()) {
            return count(connection);
        }
    }

    private int count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM " + schema + ".t")) {
            result.next();
            return result.getInt(1);
        }
    }

    private void insert(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO " + schema + ".t VALUES (1)");
        }
    }

    /** A connection in a transaction that has inserted a row, after some others, so that COMMIT may be a prepared statement. */
    private Connection insertedAfter(int commits) throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        for (int i = 0; i < commits; i++) {
            count(connection);
            connection.commit();
        }
        insert(connection);
        return connection;
    }

    @Test
    void itPassesWhatItIsNotToldToStop() throws SQLException {
        try (Connection connection = connect()) {
            insert(connection);
            assertThat(count(connection)).isEqualTo(1);
            assertThat(proxy.connections()).isEqualTo(1);
        }
        Awaitility.await().untilAsserted(() -> assertThat(proxy.connections()).isZero());
    }

    @Test
    void cutClosesConnectionsAndLetsNewOnesPass() throws SQLException {
        try (Connection connection = connect()) {
            proxy.cut();
            assertThatThrownBy(() -> count(connection)).isInstanceOf(SQLException.class);
        }
        try (Connection connection = connect()) {
            assertThat(count(connection)).isZero();
        }
        proxy.refuse();
        assertThatThrownBy(this::connect).isInstanceOf(SQLException.class);
        proxy.accept();
        connect().close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void aStatementIsLost(int commits) throws Exception {
        try (Connection connection = insertedAfter(commits)) {
            Trap trap = proxy.cutBefore("COMMIT");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            trap.awaitSprung(PATIENCE);
        }
        assertThat(count()).isZero();
        assertThat(trapIsSpentOnce()).isEqualTo(1);
    }

    private int trapIsSpentOnce() throws SQLException {
        try (Connection connection = insertedAfter(0)) {
            connection.commit();
        }
        return count();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void anAnswerIsLost(int commits) throws Exception {
        try (Connection connection = insertedAfter(commits)) {
            Trap trap = proxy.cutAfter("COMMIT");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            trap.awaitSprung(PATIENCE);
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void theAnswerOfSeveralStatementsInOneTextIsLost() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            proxy.cutAfter("COMMIT");
            assertThatThrownBy(() -> statement.execute("BEGIN; INSERT INTO " + schema + ".t VALUES (1); COMMIT"))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void aStatementIsDeliveredLate(int commits) throws Exception {
        try (Connection connection = insertedAfter(commits)) {
            Trap trap = proxy.cutAndDeliverLater("COMMIT");
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(count()).isZero();
            trap.deliver(PATIENCE);
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aTrapThatIsDisarmedLetsEverythingPass() throws SQLException {
        try (Connection connection = insertedAfter(0)) {
            proxy.cutBefore("COMMIT").disarm();
            connection.commit();
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void bytesOfClientsAreLimited() throws SQLException {
        try (Connection connection = connect()) {
            proxy.cutAfterClientBytes(10);
            assertThatThrownBy(() -> insert(connection)).isInstanceOf(SQLException.class);
        }
        assertThat(count()).isZero();
        assertThat(trapIsSpentOnce()).isEqualTo(1);
    }

    @Test
    void nothingPassesWhileItHolds() throws Exception {
        try (Connection connection = connect()) {
            proxy.hold();
            CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return count(connection);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            TimeUnit.MILLISECONDS.sleep(100);
            assertThat(answer).isNotDone();
            proxy.release();
            assertThat(answer.get(20, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void eachDirectionHasItsDelay() throws SQLException {
        try (Connection connection = connect()) {
            count(connection);
            proxy.delay(Proxy.Direction.TO_SERVER, Duration.ofMillis(30));
            proxy.delay(Proxy.Direction.TO_CLIENT, Duration.ofMillis(20));
            long start = System.nanoTime();
            count(connection);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(50), PATIENCE);
        }
    }
}
