package dev.ttlstore.postgresql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.sqlite.ChildJvm;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What one node does, however much it is, fills no other node's memory. */
@Tag("postgresql")
class BusyNeighbourTests {

    private static final int MANY = 30_000;

    private static final Duration BUSY = Duration.ofSeconds(8);

    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    /** Opens a store that may take its time, because a large commit does. */
    private Store open() {
        return nodes.open(nodes.pool(4, TestServer.dataSource()), Timeouts.DEFAULT);
    }

    private static Map<String, String> entries(int count) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            entries.put(String.format("%040d", i), "value");
        }
        return entries;
    }

    private long longestRow() throws SQLException {
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "SELECT max(octet_length(changes)) FROM \"" + nodes.schema() + "\".log")) {
            result.next();
            return result.getLong(1);
        }
    }

    @Test
    @Promise({13, 24})
    void aLargeCommitIsLoggedInRowsOfABoundedSizeAndReportedWhole() throws Exception {
        Store writer = open();
        Store reader = open();
        Map<String, String> entries = entries(MANY);
        try (Watch watch = reader.group("group").watch(WatchOptions.defaults().withCapacity(MANY + 10))) {
            writer.group("group").putAll(entries);
            writer.group("group").put("last", "value");
            List<String> expected = new ArrayList<>(entries.keySet());
            expected.add("last");
            assertThat(Nodes.keysUntil(watch, "last")).isEqualTo(expected);
        }
        assertThat(longestRow()).isBetween(20_000L, (long) ChangeCodec.MOST_BYTES);
    }

    @Test
    @Promise({13, 24})
    void theNodeThatCommitsMuchWithinATransactionGoesOnAfterIt() throws Exception {
        Store writer = open();
        Store reader = open();
        try (Watch watch = reader.group("a").watch(WatchOptions.defaults().withCapacity(MANY))) {
            String unused = writer.transact(tx -> {
                entries(3_000).forEach((key, value) -> {
                    tx.group("a").put(key, value);
                    tx.group("b").put(key, value);
                });
                return "done";
            });
            for (int i = 0; i < 3; i++) {
                writer.group("a").put("key" + i, "value");
                reader.group("a").put("own" + i, "value");
            }
            assertThat(Nodes.keysUntil(watch, "own2"))
                    .startsWith(entries(3_000).keySet().toArray(String[]::new))
                    .endsWith("key0", "own0", "key1", "own1", "key2", "own2");
        }
    }

    @Test
    @Promise({15, 24})
    void aRowOfAnEarlierVersionThatIsTooLargeIsAGapAndTheNodeGoesOn() throws Exception {
        Store writer = open();
        Store reader = open();
        writer.group("group").put("key", "value");
        try (Watch watch = reader.group("group").watch(WatchOptions.defaults())) {
            int slot = new Slots(32).of("group");
            TestServer.commitUnderLock(
                    nodes.schema(),
                    "INSERT INTO @log (slot, seq, n, at, batch, deliveries, changes) SELECT slot, seq + 1, 1, at,"
                            + " gen_random_uuid(), false, convert_to(repeat('x', 2000000), 'UTF8') FROM @log"
                            + " WHERE slot = " + slot + " ORDER BY seq DESC LIMIT 1");
            writer.group("group").put("later", "value");
            assertThat(Nodes.keysUntil(watch, "later")).endsWith("Gap", "later");
        }
    }

    @Test
    @Promise({13, 24})
    void eventsOfAnotherNodeWaitInTheLogWhileAListenerIsSlowAndChangesAreSeenMeanwhile() throws Exception {
        Store writer = open();
        Store reader = nodes.open(
                PostgreSql.on(nodes.pool(4, TestServer.dataSource())), builder -> builder.cacheSize(1_000_000));
        reader.group("group").put("seen", "old");
        assertThat(reader.group("group").get("seen")).hasValue("old"); // and keeps it
        CountDownLatch mayReturn = new CountDownLatch(1);
        List<String> told = new ArrayList<>();
        reader.onChange(event -> {
            try {
                mayReturn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (told) {
                told.add(((EntryPut) event).key());
            }
        });
        Map<String, String> entries = entries(MANY); // more than may be queued
        writer.group("group").putAll(entries);
        writer.group("group").put("seen", "new");
        Awaitility.await().untilAsserted(() -> assertThat(reader.group("group").get("seen"))
                .hasValue("new"));
        mayReturn.countDown();
        List<String> expected = new ArrayList<>(entries.keySet());
        expected.add("seen");
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            synchronized (told) {
                assertThat(told).hasSameSizeAs(expected);
            }
        });
        assertThat(told).isEqualTo(expected);
    }

    @Test
    @Tag("slow")
    @Promise({15, 24})
    void aNodeWithASlowListenerAndASmallHeapGoesOnBesideABusyOne() throws Exception {
        Assumptions.assumeFalse(TestServer.isGiven());
        Store writer = open();
        String place = CopyingProgram.place(TestServer.dataSource(), nodes.schema());
        try (ChildJvm node = ChildJvm.start(SlowListenerProgram.class, Path.of("-"), place)) { // with 128 MiB
            String unused = node.await("opened");
            long end = System.nanoTime() + BUSY.toNanos();
            for (int round = 0; System.nanoTime() - end < 0; round++) {
                Map<String, String> many = new LinkedHashMap<>();
                for (int i = 0; i < 5_000; i++) {
                    many.put(String.format("%d-%0900d", round, i), "value");
                }
                writer.group("group" + round % 16).putAll(many);
                writer.group("seen").put("key", "round" + round);
                if (round % 4 == 0) {
                    node.tell("look");
                    assertThat(node.nextLine()).startsWith("seen round");
                }
            }
            node.tell("look");
            assertThat(node.nextLine()).startsWith("seen round");
            node.tell("end");
            unused = node.await("closed");
            assertThat(node.told()).noneMatch(line -> line.contains("OutOfMemory"));
        }
    }
}
