package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.SharedStats;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** What a node says of itself, of the others, and of what slows all of them down. */
@Tag("postgresql")
class SharedStatsTests {

    private final Nodes nodes = new Nodes(TestServer.freshSchema());
    private final Store store = open();

    @AfterEach
    void close() throws IOException {
        nodes.close();
    }

    /** Opens a node that soon relies on what it knows of others. */
    private Store open() {
        Intervals intervals = new Intervals();
        intervals.known = Duration.ofMillis(500);
        intervals.stale = Duration.ofMillis(300);
        return nodes.open(PostgreSql.on(nodes.pool(4, TestServer.dataSource()))
                .timeouts(Nodes.LIMITS)
                .intervals(intervals));
    }

    private static SharedStats shared(Store store) {
        return Objects.requireNonNull(store.stats().shared());
    }

    @Test
    void nodesCountEachOther() {
        assertThat(shared(store).otherNodes()).isZero();
        Store other = open();
        assertThat(shared(other).node()).isNotEqualTo(shared(store).node());
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> shared(store).otherNodes() == 1);
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> shared(other).otherNodes() == 1);
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> shared(store).notified());
        other.close();
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> shared(store).otherNodes() == 0);
    }

    @Test
    void aNodeThatDoesNotListenIsNotCountedAndLooks() {
        Store looking = nodes.openLooking(nodes.pool(3, TestServer.dataSource()));
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> shared(looking).otherNodes() == 1);
        assertThat(shared(looking).notified()).isFalse();
        assertThat(shared(store).otherNodes()).isZero();
    }

    @Test
    void theLagIsTheTimeSinceTheLastCompleteLook() {
        Awaitility.await()
                .atMost(Nodes.PATIENCE)
                .until(() -> shared(store).lag().compareTo(Duration.ofSeconds(1)) < 0);
        ServerClock times = new ServerClock(InstantSource.system());
        assertThat(times.behind()).isEqualTo(Long.MAX_VALUE);
        times.followed(System.nanoTime() - Duration.ofSeconds(2).toNanos(), 0);
        assertThat(times.behind()).isBetween(2_000L, 60_000L);
    }

    @Test
    void anOpenTransactionIsSeenThatHoldsBackVacuum() throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            boolean unused = statement.execute("SELECT count(*) FROM \"" + nodes.schema() + "\".entry");
            Duration before = shared(store).oldestSnapshot();
            assertThat(before).isPositive();
            Awaitility.await()
                    .until(() -> shared(store).oldestSnapshot().compareTo(before.plus(Duration.ofMillis(100))) > 0);
            connection.rollback();
        }
    }

    @Tag("slow")
    @Test
    void renewalsAreCountedAsUpdatesInPlace() {
        assumeFalse(TestServer.isDistributed(), "the coordinator does not count what its workers update");
        TextGroup group = store.group("group");
        group.put("key", "value", Duration.ofHours(1));
        assertThat(shared(store).hotRatio()).isNull();
        // The server counts what a session has done when it has time for it, at times only the first renewal. That
        // one moves the entry's time far, which changes an index; the others do not.
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> {
            assertThat(group.expire("key", Duration.ofHours(2))).isTrue();
            Double ratio = shared(store).hotRatio();
            return ratio != null && ratio > 0.5;
        });
    }
}
