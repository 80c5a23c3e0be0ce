package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A server's clock that was two days ahead for a while. Nobody believes afterwards what was written by it. */
@Tag("postgresql")
class WrongClockTests {

    private static final Duration LEAD = Duration.ofDays(2);

    private static final Duration TTL = Duration.ofHours(1);

    private final MovableClock clock = new MovableClock();
    private final Nodes nodes = new Nodes();
    private final Store store = open();
    private final TextGroup group = store.group("group");

    @BeforeEach
    void writeByAClockThatIsAhead() {
        group.put("permanent", "value");
        clock.advance(LEAD);
        group.put("permanent", "later");
        clock.advance(LEAD.negated());
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private Store open() {
        return nodes.open(
                PostgreSql.on(TestServer.pool()).notifications(false).timeouts(Nodes.LIMITS),
                builder -> builder.clock(clock));
    }

    private long number(String query) throws SQLException {
        return Statements.number(TestServer.dataSource(), query.replace("@", nodes.schema() + "."));
    }

    @Test
    @Promise({1, 2})
    void allReadsOfAllNodesAgreeAfterwards() {
        insert("unseen"); // so that no commit has a right time yet
        requireAll(group, "permanent", "unseen");
        requireAll(open().group("group"), "permanent", "unseen");
        group.put("key", "value", TTL);
        assertThat(group.entry("key"))
                .map(Entry::expiresAt)
                .contains(clock.instant().plus(TTL));
        requireAll(group, "key", "permanent", "unseen");
        requireAll(open().group("group"), "key", "permanent", "unseen");
    }

    /** Adds an entry that expires, behind the back of the stores. */
    private void insert(String key) {
        long expiresAt = clock.instant().plus(TTL).toEpochMilli();
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            int unused = statement.executeUpdate("""
                    INSERT INTO %1$s.entry (slot, grp, key, version, created_at, updated_at, expires_at, due_at, value)
                    SELECT slot, grp, '%2$s', version, created_at, updated_at, %3$d, %3$d, value FROM %1$s.entry
                    """.formatted(nodes.schema(), key, expiresAt));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void requireAll(TextGroup group, String... keys) {
        for (String key : keys) {
            assertThat(group.get(key)).isPresent();
        }
        assertThat(group.getAll(List.of(keys))).hasSize(keys.length);
        assertThat(group.count()).isEqualTo(keys.length);
        assertThat(group.keys()).containsExactly(keys);
        assertThat(group.getAll()).containsOnlyKeys(keys);
    }

    @Test
    @Promise(5)
    void whatExpiresByTheRightClockStaysExpired() {
        insert("key");
        clock.advance(TTL);
        assertThat(group.count()).isEqualTo(1);
        clock.advance(Duration.ofMinutes(-1));
        assertThat(group.get("key")).isEmpty();
        assertThat(group.keys()).containsExactly("permanent");
        assertThat(open().group("group").get("key")).isEmpty();
    }

    @Test
    @Promise(1)
    void aDayLaterTheTimeDoesNotLeapAhead() throws Exception {
        Awaitility.await()
                .until(() -> number("SELECT count(*) FROM @log l WHERE at > " + clock.millis()
                                + " AND NOT EXISTS (SELECT 1 FROM @log n WHERE n.slot = l.slot AND n.seq > l.seq)")
                        == 0);
        clock.advance(LEAD.minusHours(23));
        insert("key");
        assertThat(group.get("key")).isPresent();
    }

    @Test
    @Promise(5)
    void theTimeOfANodeIsThatOfTheClockAgain() {
        ServerClock times = new ServerClock(clock);
        long now = times.now();
        assertThat(times.told(now)).isEqualTo(now);
        Instant start = clock.instant();
        clock.advance(LEAD);
        assertThat(times.told(times.now())).isEqualTo(now + LEAD.toMillis());
        clock.set(start);
        assertThat(times.told(now)).isEqualTo(now);
        assertThat(times.now()).isEqualTo(now);
        clock.advance(Duration.ofHours(-1));
        assertThat(times.now()).isEqualTo(now);
        assertThat(times.told(clock.millis())).isEqualTo(now);
    }

    @Test
    void theLogIsKeptShort() throws Exception {
        for (int i = 0; i < 10; i++) {
            group.put("key", "value");
        }
        NodeContext node = nodes.node(clock);
        LogFollower follower = new LogFollower(
                node,
                Duration.ofMinutes(5),
                new Intervals(),
                new NodeRegistry(node, nodes.schema(), new Intervals()),
                () -> false);
        clock.advance(Duration.ofMinutes(6));
        follower.trim();
        assertThat(number("SELECT count(*) FROM @log")).isEqualTo(number("SELECT count(DISTINCT slot) FROM @log"));
    }

    @Test
    @Promise(17)
    void aNodeTakesTheLeasesOfOneThatIsGone() {
        try (Store subscribing = open()) { // which has ended with its claims when it is closed
            Subscription unused = subscribing.onExpired("mail", "group", entry -> {});
        }
        group.putAll(Map.of("key", "value"), Duration.ofMillis(1));
        clock.advance(Duration.ofMillis(1));
        assertThat(store.purgeExpired()).isEqualTo(1);
        SlotDeliveries gone = new SlotDeliveries(nodes.node(clock));
        clock.advance(LEAD);
        assertThat(claim(gone)).hasSize(1);
        clock.advance(LEAD.negated());
        SlotDeliveries other = new SlotDeliveries(nodes.node(clock));
        assertThat(other.lastSeen("mail")).isEqualTo(Deliveries.UNSEEN);
        assertThat(claim(other)).hasSize(1);
        assertThat(other.lastSeen("mail")).isEqualTo(clock.millis());
        assertThat(claim(new SlotDeliveries(nodes.node(clock)))).isEmpty();
    }

    private List<?> claim(SlotDeliveries claims) {
        long now = clock.millis();
        return claims.claim("mail", now, now + 60_000, 10);
    }
}
