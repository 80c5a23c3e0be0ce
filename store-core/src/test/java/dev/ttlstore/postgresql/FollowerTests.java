package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("postgresql")
class FollowerTests {

    private final Nodes nodes = new Nodes();
    private final MovableClock clock = new MovableClock();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private Follower follower() {
        Slots slots = new Slots(32);
        Connections connections = new Connections(TestServer.pool(), new Sql(nodes.schema(), clock));
        Parts parts = new Parts(
                UUID.randomUUID(),
                connections,
                slots,
                Nodes.LIMITS,
                new Times(clock),
                new Following(slots),
                new Backlog());
        Looks looks = new Looks(connections, Nodes.LIMITS, slots);
        return new Follower(
                parts, looks, Duration.ofMinutes(5), Pace.DEFAULT, new Peers(parts, Pace.DEFAULT), () -> false);
    }

    private long logged() throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM " + nodes.schema() + ".log")) {
            result.next();
            return result.getLong(1);
        }
    }

    @Test
    void theLogKeepsYoungCommitsAndTheNewestOfEachSlot() throws Exception {
        Store store = nodes.open(
                PostgreSql.on(TestServer.pool()).notifications(false).limits(Nodes.LIMITS),
                builder -> builder.clock(clock));
        long first = logged(); // one for each slot
        for (int i = 0; i < 3; i++) {
            store.group("group").put("key", "value");
        }
        clock.advance(Duration.ofMinutes(4));
        store.group("group").put("key", "young");
        store.group("group").put("key", "younger");
        clock.advance(Duration.ofMinutes(2));
        Follower follower = follower();
        follower.trim();
        assertThat(logged()).isEqualTo(first + 1);
        clock.advance(Duration.ofHours(1));
        follower.trim();
        assertThat(logged()).isEqualTo(first);
    }
}
