package dev.ttlstore.postgresql;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Servers that die, come back, or only read. */
@Tag("postgresql")
class RestartTests {

    private static final int THREADS = 4;

    /** More than an hour of versions: 32 for each microsecond. */
    private static final long FAR = 32L << 32;

    private static final PrivateServer SERVER = start();

    /** A fresh schema, because those that were used before are emptied on the shared server only. */
    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    private static PrivateServer start() {
        try {
            return PrivateServer.create();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        SERVER.close();
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    /** What a thread has written, and what became of it. */
    private static final class Load {
        private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        private final Set<String> unknown = ConcurrentHashMap.newKeySet();
        private final Set<String> refused = ConcurrentHashMap.newKeySet();
        private final AtomicInteger counted = new AtomicInteger();
        private final AtomicInteger unsure = new AtomicInteger();
        private final AtomicBoolean ended = new AtomicBoolean();

        private void run(Store store, int thread) {
            for (int i = 0; !ended.get(); i++) {
                put(store.group("group"), thread + "-" + i);
                increment(store);
            }
        }

        private void put(TextGroup group, String key) {
            try {
                group.put(key, "value");
                acknowledged.add(key);
            } catch (OutcomeUnknownException e) {
                unknown.add(key);
            } catch (StoreException e) {
                refused.add(key);
            }
        }

        private void increment(Store store) {
            try {
                store.counters("count").increment("key");
                counted.incrementAndGet();
            } catch (OutcomeUnknownException e) {
                unsure.incrementAndGet();
            } catch (StoreException e) {
                return; // not counted
            }
        }
    }

    @Test
    @Promise({8, 11, 13, 23})
    void nothingAcknowledgedIsLostIfTheServerIsKilledUnderLoad() throws Exception {
        Store store = nodes.open(nodes.hastyPool(5, SERVER.dataSource()), Timeouts.DEFAULT);
        Store other = nodes.open(nodes.hastyPool(5, SERVER.dataSource()), Timeouts.DEFAULT);
        Load load = new Load();
        try (Watch watch = other.watch(new WatchOptions(100_000, Overflow.DROP_OLDEST))) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                threads.add(Threads.start("load", () -> load.run(thread % 2 == 0 ? store : other, thread)));
            }
            awaitMore(load, 200);
            SERVER.kill();
            SERVER.start();
            awaitMore(load, 200);
            load.ended.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            Set<String> present = store.group("group").getAll().keySet();
            assertThat(present).containsAll(load.acknowledged).noneMatch(load.refused::contains);
            assertThat(other.counters("count").increment("key") - 1)
                    .isBetween((long) load.counted.get(), (long) load.counted.get() + load.unsure.get());
            store.group("group").put("last", "value");
            Signals signals = Signals.until(watch, "last");
            assertThat(signals.gaps || signals.keys.containsAll(present)).isTrue();
            assertThat(signals.keys).doesNotHaveDuplicates();
        }
    }

    private static void awaitMore(Load load, int writes) {
        int before = load.acknowledged.size();
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> load.acknowledged.size() > before + writes);
    }

    /** What a watch has reported. */
    private static final class Signals {
        private final List<String> keys = new ArrayList<>();
        private boolean gaps;

        private static Signals until(Watch watch, String last) throws InterruptedException {
            Signals signals = new Signals();
            while (!signals.keys.contains(last)) {
                WatchSignal signal = watch.poll(Nodes.PATIENCE).orElseThrow();
                signals.gaps |= signal instanceof WatchSignal.Gap;
                if (signal instanceof WatchSignal.Change change
                        && change.event() instanceof EntryPut put
                        && put.group().equals("group")) {
                    signals.keys.add(put.key());
                }
            }
            return signals;
        }
    }

    /** Opens a store in which nothing happens by itself, by a clock of the test. */
    private static Store open(Nodes nodes, PrivateServer server, MovableClock clock) {
        return nodes.open(
                PostgreSql.on(nodes.hastyPool(3, server.dataSource())).notifications(false),
                builder -> builder.clock(clock));
    }

    @Test
    @Promise(9)
    void versionsOfLostCommitsAreNotUsedAgainByAStandbyWhoseClockIsBehind() throws Exception {
        MovableClock clock = new MovableClock();
        TextGroup group = open(nodes, SERVER, clock).group("group");
        group.put("key", "kept");
        try (PrivateServer standby = SERVER.copyTo(ServerFolders.fresh())) {
            standby.start();
            SERVER.awaitReplayBy(standby);
            standby.execute("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
            Awaitility.await().until(() -> SERVER.standbys() == 0);
            Set<Long> lost = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                lost.add(group.put("key", "lost"));
            }
            standby.promote();
            clock.advance(Duration.ofMinutes(-1));
            Nodes afterwards = new Nodes(nodes.schema());
            try (afterwards) {
                TextGroup same = open(afterwards, standby, clock).group("group");
                assertThat(same.get("key")).contains("kept");
                for (int i = 0; i < 20; i++) {
                    assertThat(lost).doesNotContain(same.put("key", "new"));
                }
            }
        }
    }

    @Test
    @Promise(9)
    void aRunningNodeLooksAtTheTimelineBeforeItHandsOutANumberOfAServerThatHasStarted() throws Exception {
        TextGroup group = nodes.open(nodes.hastyPool(3, SERVER.dataSource()), Timeouts.DEFAULT)
                .group("group");
        long before = group.put("key", "value");
        SERVER.restart();
        long same = group.put("key", "value");
        assertThat(same).isBetween(before + 1, before + FAR / 2);
        SERVER.execute("UPDATE \"" + nodes.schema() + "\".lease SET mark = mark + 1 WHERE role = 'timeline'");
        SERVER.restart();
        assertThat(group.put("key", "value")).isGreaterThan(same + FAR);
    }

    @Tag("slow")
    @Test
    @Promise({1, 23})
    void aStandbyReadsAndRefusesWrites() throws Exception {
        TextGroup group = nodes.open(nodes.hastyPool(3, SERVER.dataSource()), Timeouts.DEFAULT)
                .group("group");
        group.put("key", "value");
        group.put("short", "value", Duration.ofMillis(300));
        try (PrivateServer standby = SERVER.copyTo(ServerFolders.fresh())) {
            standby.start();
            SERVER.awaitReplayBy(standby);
            Nodes onStandby = new Nodes(nodes.schema());
            try (onStandby) {
                Store reading = onStandby.open(onStandby.pool(3, standby.dataSource()), Timeouts.DEFAULT);
                TextGroup same = reading.group("group");
                assertThat(same.get("key")).contains("value");
                Awaitility.await().until(() -> same.get("short").isEmpty());
                assertThat(same.getAll()).containsOnlyKeys("key");
                assertThat(same.count()).isEqualTo(1);
                assertThat(reading.groups()).containsExactly("group");
                assertThatThrownBy(() -> same.put("key", "changed"))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("PostgreSQL is read-only here")
                        .hasMessageContaining("targetServerType=primary");
                assertThatThrownBy(() -> reading.transactWithoutResult(
                                tx -> tx.group("group").put("key", "changed")))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("read-only");
                try (Watch watch = reading.watch("group")) {
                    group.put("next", "value");
                    assertThat(Nodes.keysUntil(watch, "next")).containsExactly("next");
                }
                standby.promote();
                Awaitility.await()
                        .atMost(Nodes.PATIENCE)
                        .ignoreExceptions()
                        .until(() -> same.put("key", "changed") > 0);
                assertThat(same.get("key")).contains("changed");
            }
        }
    }
}
