package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.IgnoredChanges;
import dev.ttlstore.engine.Row;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.postgresql.LogRow.LogPlace;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

import static dev.ttlstore.contract.Assertions.assertThat;

@Tag("postgresql")
class LogFollowerTests {

    private final Nodes nodes = new Nodes();
    private final MovableClock clock = new MovableClock();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private LogFollower follower() {
        return follower(nodes.node(clock));
    }

    private LogFollower follower(NodeContext node) {
        return new LogFollower(
                node,
                Duration.ofMinutes(5),
                new Intervals(),
                new NodeRegistry(node, nodes.schema(), new Intervals()),
                () -> false);
    }

    /** Otherwise a node that commits all the time would take a server at its side for one over a network. */
    @Test
    @Promise(11)
    void aNodeLooksHowShortTheWayToTheServerIs() {
        Duration work = Duration.ofMillis(50);
        StatementTap busy = new StatementTap(
                TestServer.dataSource(),
                statement -> LockSupport.parkNanos(isEmpty(statement) ? 0 : work.toNanos()),
                (text, failure) -> {});
        NodeContext node = nodes.node(nodes.pool(2, busy.source()), clock);
        nodes.open().close();
        LogFollower follower = follower(node);
        follower.prepare();
        follower.thread().start();
        try {
            Awaitility.await()
                    .atMost(Nodes.PATIENCE)
                    .until(() -> node.connections().times().way() < work.toNanos());
        } finally {
            follower.thread().end(Nodes.PATIENCE.toMillis());
        }
    }

    private static boolean isEmpty(Statement statement) {
        return statement.toString().endsWith("SELECT 1");
    }

    private long logged() throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM " + nodes.schema() + ".log")) {
            result.next();
            return result.getLong(1);
        }
    }

    /** As after a pause: of a process that was stopped, of the collector, of the machine. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Promise({13, 15})
    void aNodeThatWritesAfterAPauseFirstReportsAllThatItHasMissed(boolean plain) throws Exception {
        Intervals never = Nodes.neverLooking();
        Store paused = nodes.open(PostgreSql.on(nodes.pool(4, TestServer.dataSource()))
                .timeouts(Nodes.LIMITS)
                .notifications(false)
                .intervals(never));
        Store other = nodes.open();
        List<String> keys = new ArrayList<>();
        try (Watch watch = paused.group("group").watch(WatchOptions.defaults().withCapacity(10_000))) {
            for (int i = 0; i < 2 * LogRow.AT_ONCE + 10; i++) {
                keys.add("key" + i);
                other.group("group").put("key" + i, "value");
            }
            keys.add("own");
            if (plain) {
                paused.group("group").put("own", "value");
            } else {
                paused.transact(tx -> tx.group("group").put("own", "value"));
            }
            assertThat(Nodes.keysUntil(watch, "own")).isEqualTo(keys);
        }
    }

    @Test
    @Promise({13, 15})
    void aNodeThatPausesAfterAQuietTimeMissesNothing() throws Exception {
        Intervals never = Nodes.neverLooking();
        Store paused = nodes.open(
                PostgreSql.on(TestServer.pool()).notifications(false).intervals(never),
                builder -> builder.clock(clock));
        Store other = nodes.open(
                PostgreSql.on(TestServer.pool()).notifications(false).intervals(never),
                builder -> builder.clock(clock));
        try (Watch watch = paused.group("group").watch(WatchOptions.defaults())) {
            clock.advance(Duration.ofMinutes(6));
            other.group("group").put("one", "value");
            other.group("group").put("two", "value");
            follower().trim();
            paused.group("group").put("own", "value");
            assertThat(Nodes.keysUntil(watch, "own")).containsExactly("one", "two", "own");
        }
    }

    /** Otherwise a node that was away would need memory for all that the others have changed meanwhile. */
    @Test
    @Promise(13)
    void theNewsOfASlotAreReadInPartsThatAreNotTooLarge() {
        nodes.open().close();
        Slots slots = new Slots(32);
        Connections connections = new Connections(TestServer.pool(), nodes.sql(clock), Nodes.LIMITS);
        LogCursor cursor = new LogCursor(slots);
        Keys changed = new Keys();
        List<LogHead> heads = new ArrayList<>();
        connections.run(LogHead.query(connections.script(), List.of(0), heads::add));
        cursor.start(heads, changed);
        for (int i = 1; i <= 8; i++) {
            Script script = connections.script();
            LogRow.add(script, List.of(large(slots, i)), row -> 0L);
            connections.run(script);
        }
        int reads = 0;
        LogCursor.Progress progress;
        do {
            Script script = connections.script();
            List<LogRow> rows = cursor.news(script, List.of(0));
            connections.run(script);
            assertThat(rows.stream()
                            .mapToLong(row -> row.changes() == null ? 0 : row.changes().length)
                            .sum())
                    .isLessThan(1_000_000);
            progress = cursor.report(rows);
            reads++;
        } while (progress == LogCursor.Progress.MORE);
        assertThat(reads).isEqualTo(8);
        assertThat(changed.keys).hasSize(8 * 600).isSortedAccordingTo(Comparator.naturalOrder());
        List<LogRow> since = new ArrayList<>();
        LogPlace start = new LogPlace(0, heads.get(0).batch());
        connections.run(LogHead.since(
                connections.script(), new TreeMap<>(Map.of(0, start)), false, row -> since.add(LogRow.ofHead(row))));
        assertThat(since).hasSize(9).filteredOn(LogRow::isUnread).hasSize(7); // the place has nothing to read
        connections.run(
                LogHead.since(connections.script(), new TreeMap<>(Map.of(0, start, 1, start)), false, row -> assertThat(
                                LogRow.ofHead(row).isUnread())
                        .isEqualTo(row.getLong(2) > 0 && row.getLong(2) < 8)));
    }

    /** A commit with some 600 kB of changes. */
    private static LogRow large(Slots slots, int seq) {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            String key = String.format("%d-%03d-", seq, i) + "x".repeat(1_000);
            changes.add(new Change(Change.Kind.CREATED, slots.number(0, seq), 0, "group", key, 1, Row.NEVER, 0));
        }
        return new LogRow(0, seq, new UUID(0, seq), Row.NEVER, false, ChangeCodec.encode(changes));
    }

    /** Collects the keys of what has changed. */
    private static final class Keys extends IgnoredChanges {
        private final List<String> keys = new ArrayList<>();

        @Override
        public void changed(List<Change> changes) {
            changes.forEach(change -> keys.add(change.key()));
        }

        @Override
        public void lost(long sequence) {
            keys.add("lost");
        }
    }

    @Test
    void theLogKeepsYoungCommitsTheOneBeforeThemAndTheNewestOfEachSlot() throws Exception {
        Store store = nodes.open(
                PostgreSql.on(TestServer.pool()).notifications(false).timeouts(Nodes.LIMITS),
                builder -> builder.clock(clock));
        long first = logged(); // one for each slot
        for (int i = 0; i < 3; i++) {
            store.group("group").put("key", "value");
        }
        clock.advance(Duration.ofMinutes(4));
        store.group("group").put("key", "young");
        store.group("group").put("key", "younger");
        clock.advance(Duration.ofMinutes(2));
        LogFollower follower = follower();
        follower.trim();
        assertThat(logged()).isEqualTo(first + 2);
        clock.advance(Duration.ofHours(1));
        follower.trim();
        assertThat(logged()).isEqualTo(first);
    }
}
