package dev.ttlstore.postgresql;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Watch;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Nodes that notify each other of their commits, and what they do where notifications do not arrive. */
@Tag("postgresql")
class NotificationTests {

    private static final Duration NEVER = Duration.ofHours(1);

    /** A node that listens looks by itself only when it must. All notify, whatever they know of each other. */
    private static final Intervals NOTIFIED = notified(intervals -> {});

    private final Nodes nodes = new Nodes();

    private static Intervals notified(Consumer<Intervals> change) {
        Intervals intervals = new Intervals();
        intervals.net = NEVER;
        intervals.known = Duration.ZERO;
        intervals.stale = Duration.ZERO;
        change.accept(intervals);
        return intervals;
    }

    private static Intervals testing(Duration pause, Duration patience, Duration again) {
        return notified(intervals -> {
            intervals.test = pause;
            intervals.patience = patience;
            intervals.again = again;
        });
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private static PostgreSql engine(DataSource source, Intervals intervals) {
        return PostgreSql.on(source).timeouts(Nodes.LIMITS).intervals(intervals);
    }

    private Store open(Intervals intervals) {
        return nodes.open(engine(nodes.pool(4, TestServer.dataSource()), intervals));
    }

    private List<String> query(String text) throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(text.replace("@", nodes.schema() + "."))) {
            List<String> found = new ArrayList<>();
            while (result.next()) {
                found.add(result.getString(1));
            }
            return found;
        }
    }

    /** Waits until some nodes have heard their own tests. */
    private void awaitRegistered(int count) {
        Awaitility.await().atMost(Nodes.PATIENCE).untilAsserted(() -> assertThat(registered())
                .hasSize(count));
    }

    private List<String> registered() throws SQLException {
        return query("SELECT role FROM @lease WHERE slot = 0 AND role LIKE 'node %'"
                + " AND until > extract(epoch FROM clock_timestamp()) * 1000");
    }

    /** Waits until a node that counts its looks makes none any more. */
    private static void awaitNoLooks(TappedDataSource source) {
        Awaitility.await()
                .atMost(Nodes.PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> source.finalTimes.getAndSet(0) == 0);
    }

    /** Hears what the nodes say, as each of them does. */
    private final class Overhearing implements AutoCloseable {
        private final Connection connection;

        private Overhearing() throws SQLException {
            connection = TestServer.dataSource().getConnection();
            execute("LISTEN " + NodeRegistry.channel(nodes.schema()));
        }

        private void execute(String text) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(text);
            }
        }

        /** Returns what was said up to now, except for tests. */
        private List<String> said() throws SQLException {
            String name = NodeRegistry.channel(nodes.schema());
            execute("SELECT pg_notify('" + name + "', 'last')");
            List<String> said = new ArrayList<>();
            while (!said.contains("last")) {
                PGNotification[] found = connection.unwrap(PGConnection.class).getNotifications(1_000);
                if (found != null) {
                    Arrays.stream(found)
                            .map(PGNotification::getParameter)
                            .filter(text -> !text.startsWith("test "))
                            .forEach(said::add);
                }
            }
            said.remove("last");
            return said;
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    @Test
    @Promise({13, 16})
    void aNotificationIsEnoughToSeeACommitOfAnotherNode() throws Exception {
        TappedDataSource looking = new TappedDataSource(nodes.pool(4, TestServer.dataSource()));
        Store reader = nodes.open(engine(looking.source(), NOTIFIED));
        TextGroup group = open(NOTIFIED).group("group");
        awaitRegistered(2);
        try (Watch watch = reader.watch("group")) {
            for (String key : List.of("first", "second")) {
                awaitNoLooks(looking);
                group.put(key, "value");
                assertThat(Nodes.keysUntil(watch, key)).containsExactly(key);
                assertThat(looking.finalTimes).hasPositiveValue();
            }
        }
    }

    @Test
    void aNodeThatIsAloneNotifiesNobody() throws Exception {
        try (Overhearing overhearing = new Overhearing();
                HikariDataSource pool = nodes.pool(4, TestServer.dataSource())) {
            try (Store store = nodes.open(engine(pool, new Intervals()))) {
                awaitRegistered(1);
                for (int i = 0; i < 50; i++) {
                    store.group("group").put("key" + i, "value");
                }
            }
            assertThat(overhearing.said()).hasSize(1).allMatch(text -> text.startsWith("left "));
        }
    }

    @Test
    void manyCommitsSendOneNotification() throws Exception {
        Store store = open(notified(intervals -> intervals.gap = NEVER));
        Store other = open(new Intervals()); // looks by itself, because one notification does not cover them all
        awaitRegistered(2);
        try (Overhearing overhearing = new Overhearing();
                Watch watch = other.watch("group")) {
            for (int i = 0; i < 200; i++) {
                store.group("group").put("key" + i, "value");
            }
            assertThat(Nodes.keysUntil(watch, "key199")).hasSize(200);
            assertThat(overhearing.said().stream().filter(text -> text.startsWith("committed ")))
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    @Tag("slow")
    @Promise(13)
    void aNodeThatOpensWhileAnotherOneWritesMissesNothing() throws Exception {
        Duration known = Duration.ofSeconds(2);
        Intervals intervals = notified(changed -> {
            changed.known = known;
            changed.stale = Duration.ofMillis(1_500);
        });
        Store writer = open(intervals);
        AtomicInteger written = new AtomicInteger();
        long end = System.nanoTime() + known.toNanos() * 3 / 2;
        Thread writing = Threads.start("write", () -> {
            while (System.nanoTime() - end < 0) {
                writer.group("group").put("key" + written.get(), "value");
                int unused = written.incrementAndGet();
                Thread.sleep(150); // longer than a node goes on looking after a notification
            }
        });
        try (Watch watch = open(intervals).watch("group")) {
            int opened = written.get() + 1;
            writing.join();
            List<String> keys = Nodes.keysUntil(watch, "key" + (written.get() - 1));
            assertThat(keys)
                    .containsAll(IntStream.range(opened, written.get())
                            .mapToObj(i -> "key" + i)
                            .toList())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    @Promise({13, 23})
    void aNodeThatHearsNothingLooks() throws Exception {
        TappedDataSource looking = new TappedDataSource(nodes.pool(4, TestServer.dataSource()));
        looking.deaf(true);
        Intervals impatient = testing(NEVER, Duration.ofMillis(200), Duration.ofMillis(200));
        try (LogRecorder log = new LogRecorder(Listener.class.getName(), Level.INFO)) {
            Store reader = nodes.open(engine(looking.source(), impatient));
            TextGroup group = open(NOTIFIED).group("group");
            try (Watch watch = reader.watch("group")) {
                Awaitility.await()
                        .atMost(Nodes.PATIENCE)
                        .until(() -> log.messages().size() > 0);
                awaitRegistered(1); // it has left
                group.put("first", "value");
                assertThat(Nodes.keysUntil(watch, "first")).containsExactly("first");
                assertThat(log.messages())
                        .singleElement()
                        .asString()
                        .contains("Notifications do not reach this node", "every 20 ms", "notifications(false)");
                looking.deaf(false);
                awaitRegistered(2);
                awaitNoLooks(looking);
                group.put("second", "value");
                assertThat(Nodes.keysUntil(watch, "second")).containsExactly("second");
            }
        }
    }

    @Test
    @Promise({13, 23})
    void aNodeWhoseConnectionIsCutLooksAndListensAgain() throws Exception {
        MortalDataSource mortal = new MortalDataSource(nodes.pool(4, TestServer.dataSource()));
        TappedDataSource looking = new TappedDataSource(mortal);
        Store reader = nodes.open(engine(looking.source(), NOTIFIED));
        TextGroup group = open(NOTIFIED).group("group");
        awaitRegistered(2);
        try (Watch watch = reader.watch("group")) {
            for (int i = 0; i < Effort.of(1, 2); i++) {
                awaitNoLooks(looking);
                mortal.cut();
                group.put("cut" + i, "value");
                assertThat(Nodes.keysUntil(watch, "cut" + i)).containsExactly("cut" + i);
                awaitNoLooks(looking); // because it listens again
                group.put("heard" + i, "value");
                assertThat(Nodes.keysUntil(watch, "heard" + i)).containsExactly("heard" + i);
            }
        }
    }

    @Tag("slow")
    @Test
    @Promise(13)
    void aNodeThatOthersHaveForgottenLooksUntilTheyKnowItAgain() throws Exception {
        TappedDataSource looking = new TappedDataSource(nodes.pool(4, TestServer.dataSource()));
        Intervals testing = testing(Duration.ofMillis(500), Nodes.PATIENCE, NEVER);
        Store reader = nodes.open(engine(looking.source(), testing));
        TextGroup group = open(testing).group("group");
        awaitRegistered(2);
        awaitNoLooks(looking);
        try (Watch watch = reader.watch("group");
                Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM " + nodes.schema() + ".lease WHERE role LIKE 'node %'");
            awaitRegistered(2);
            awaitNoLooks(looking);
            group.put("key", "value");
            assertThat(Nodes.keysUntil(watch, "key")).containsExactly("key");
        }
    }

    @Tag("slow")
    @Test
    void theRowOfADeadNodeIsRemoved() throws Exception {
        Intervals often = testing(Duration.ofMillis(100), Nodes.PATIENCE, NEVER);
        Store store = open(often);
        store.group("group").put("key", "value");
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO " + nodes.schema()
                    + ".lease (slot, role, node, until) VALUES (0, 'node dead', gen_random_uuid(), 1)");
        }
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> query("SELECT role FROM @lease WHERE role = 'node dead'")
                .isEmpty());
    }

    @Test
    @Promise(13)
    void aNodeThatDoesNotListenKeepsNoConnectionAndLooks() throws Exception {
        MortalDataSource counted = new MortalDataSource(nodes.pool(4, TestServer.dataSource()));
        Store reader = nodes.open(engine(counted, new Intervals()).notifications(false));
        TextGroup group = open(NOTIFIED).group("group");
        awaitRegistered(1);
        try (Watch watch = reader.watch("group")) {
            group.put("key", "value");
            assertThat(Nodes.keysUntil(watch, "key")).containsExactly("key");
        }
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> counted.connections() == 0);
    }

    @Test
    @Promise(23)
    void aPoolOfOneConnectionIsEnoughToGoOn() {
        try (LogRecorder log = new LogRecorder(Listener.class.getName(), Level.INFO)) {
            HikariDataSource pool = nodes.pool(1, TestServer.dataSource(), Nodes.PATIENCE);
            TextGroup group = nodes.open(engine(pool, NOTIFIED)).group("group");
            for (int i = 0; i < 20; i++) {
                group.put("key", "value" + i);
            }
            assertThat(group.get("key")).contains("value19");
            Awaitility.await().until(() -> log.messages().size() > 0);
            assertThat(log.messages()).singleElement().asString().contains("The pool has no connection left");
        }
    }

    @Test
    @Promise({13, 23})
    void aDriverThatCannotListenLooks() throws Exception {
        DataSource pool = nodes.pool(4, TestServer.dataSource());
        UnaryOperator<Connection> hide = connection -> (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isWrapperFor")) {
                        return false;
                    }
                    return TappedDataSource.invoke(connection, method, arguments);
                });
        DataSource hiding = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object answer = TappedDataSource.invoke(pool, method, arguments);
                    return answer instanceof Connection connection ? hide.apply(connection) : answer;
                });
        try (LogRecorder log = new LogRecorder(Listener.class.getName(), Level.INFO)) {
            Store reader = nodes.open(engine(hiding, NOTIFIED));
            try (Watch watch = reader.watch("group")) {
                open(NOTIFIED).group("group").put("key", "value");
                assertThat(Nodes.keysUntil(watch, "key")).containsExactly("key");
            }
            assertThat(log.messages()).singleElement().asString().contains("hides org.postgresql.PGConnection");
        }
    }

    @Test
    void aClosedStoreLeavesNothingBehind() throws Exception {
        HikariDataSource pool = nodes.pool(2, TestServer.dataSource());
        try (Store store = nodes.open(engine(pool, NOTIFIED))) {
            awaitRegistered(1);
            store.group("group").put("key", "value");
        }
        assertThat(registered()).isEmpty();
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Connection connection = pool.getConnection();
            all.add(connection);
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("SELECT pg_listening_channels()")) {
                assertThat(result.next()).isFalse();
            }
        }
        for (Connection connection : all) {
            connection.close();
        }
    }
}
