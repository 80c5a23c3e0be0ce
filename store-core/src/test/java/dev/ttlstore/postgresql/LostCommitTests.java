package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Connections that are cut around a COMMIT. One store reaches the server through a proxy, the other one does not. */
@Tag("postgresql")
class LostCommitTests {

    private static final String LARGE = "x".repeat(600_000);

    /** Too large for the server to decide, so that they are locked in a round trip of its own, and committed in another. */
    private static final Map<String, String> TWO = new TreeMap<>(Map.of("key", LARGE, "other", LARGE));

    private final Nodes nodes = new Nodes();
    private final Proxy proxy = proxy();
    private final Store store = nodes.openLooking(nodes.hastyPool(3, Nodes.through(proxy)));
    private final Store other = nodes.open();
    private final TextGroup group = store.group("group");
    private final TextGroup same = other.group("group");
    private final List<String> told = new CopyOnWriteArrayList<>();

    private Proxy proxy() {
        try {
            return nodes.proxy();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** All connections of the pool have prepared the statements of a put. */
    @BeforeEach
    void warmUp() throws InterruptedException {
        try (Watch watch = other.watch("group")) {
            for (int i = 0; i < 10; i++) {
                group.put("warm", "value");
                group.putAll(Map.of("warm", "value", "warmer", "value"), Expiry.never());
            }
            group.put("warmed up", "value");
            List<String> unused = Nodes.keysUntil(watch, "warmed up");
        }
        store.onChange(event -> {
            if (event instanceof EntryPut put) {
                told.add(put.key());
            }
        });
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    @Test
    @Promise({8, 11})
    void aCommitThatNeverArrivesIsReportedAndNotMade() throws Exception {
        try (Watch watch = other.watch("group")) {
            Trap trap = proxy.cutBefore(Nodes.COMMIT);
            Throwable failure = catchThrowable(() -> group.putAll(TWO, Expiry.never()));
            assertThat(trap.hasSprung()).isTrue();
            assertThat(failure).isInstanceOf(StoreException.class).isNotInstanceOf(OutcomeUnknownException.class);
            assertThat(failure).hasMessageContaining("The connection to PostgreSQL is lost");
            assertThat(same.get("key")).isEmpty();
            assertThat(group.get("key")).isEmpty();
            group.put("next", "value");
            assertThat(told).containsExactly("next");
            assertThat(Nodes.keysUntil(watch, "next")).containsExactly("next");
        }
    }

    @Test
    @Promise({11, 13, 14})
    void aCommitWhoseAnswerIsLostIsAcknowledgedAndToldOnce() throws Exception {
        try (Watch own = store.watch("group");
                Watch watch = other.watch("group")) {
            Trap trap = proxy.cutAfter(nodes.storing());
            long version = group.put("key", "value");
            assertThat(trap.hasSprung()).isTrue();
            assertThat(told).containsExactly("key");
            assertThat(same.entry("key").orElseThrow().version()).isEqualTo(version);
            assertThat(group.put("next", "value")).isGreaterThan(version);
            assertThat(Nodes.keysUntil(watch, "next")).containsExactly("key", "next");
            assertThat(Nodes.keysUntil(own, "next")).containsExactly("key", "next");
        }
    }

    /** Later commits wait for the one whose answer is lost, which needs a connection to look for it. */
    @Test
    @Promise({8, 11})
    void aLostAnswerIsLookedUpThoughLaterCommitsHaveAllConnections() throws Exception {
        proxy.delay(Proxy.Direction.TO_SERVER, Duration.ofMillis(3));
        proxy.delay(Proxy.Direction.TO_CLIENT, Duration.ofMillis(3));
        for (int connections : new int[] {1, 2, 3}) {
            try (Store small = nodes.openLooking(nodes.hastyPool(connections, Nodes.through(proxy)))) {
                List<CompletableFuture<Void>> callers = new ArrayList<>();
                for (int i = 0; i < 24; i++) {
                    String key = "key" + i;
                    callers.add(CompletableFuture.runAsync(
                            () -> {
                                for (int n = 0; n < 40; n++) {
                                    long unused = small.counters("count " + connections)
                                            .increment(key);
                                }
                            },
                            task -> Threads.start("caller", task::run)));
                }
                Counters counters = other.counters("count " + connections);
                Awaitility.await()
                        .atMost(Nodes.PATIENCE)
                        .until(() -> counters.get("key0").orElse(0L) > 10);
                Trap trap = proxy.cutAfter(nodes.storing());
                CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new))
                        .get(60, TimeUnit.SECONDS);
                assertThat(trap.hasSprung()).isTrue();
                assertThat(counters.getAll().values()).hasSize(24).containsOnly(40L);
            }
        }
    }

    @Test
    void anIncrementWhoseAnswerIsLostCountsOnce() {
        long unused = other.counters("count").increment("key", 1, Duration.ofHours(1));
        Object expiry = other.counters("count").entry("key").orElseThrow().expiresAt();
        List<EntryPut> puts = new CopyOnWriteArrayList<>();
        store.onChange(event -> {
            if (event instanceof EntryPut put && put.group().equals("count") && !put.created()) {
                puts.add(put);
            }
        });
        Trap trap = proxy.cutAfter(nodes.storing());
        assertThat(store.counters("count").increment("key")).isEqualTo(2);
        assertThat(trap.hasSprung()).isTrue();
        assertThat(puts).singleElement().satisfies(put -> assertThat(put.expiresAt())
                .isEqualTo(expiry));
        assertThat(other.counters("count").increment("key")).isEqualTo(3);
    }

    @Test
    void aTransactionWhoseAnswerIsLostRunsOnce() {
        AtomicInteger runs = new AtomicInteger();
        store.transactWithoutResult(tx -> {
            tx.group("group").put("a", tx.group("group").get("a").orElse("") + "x");
            if (runs.incrementAndGet() == 1) {
                proxy.cutAfter(Nodes.COMMIT); // the one before has set numbers aside
            }
            tx.group("group").put("b", "value");
        });
        assertThat(runs).hasValue(1);
        assertThat(same.get("a")).contains("x");
        assertThat(same.get("b")).contains("value");
    }

    @Test
    void aCommitOnItsWayIsAwaitedBehindTheLock() throws Exception {
        Trap trap = proxy.cutAndDeliverLater(Nodes.COMMIT);
        CompletableFuture<Void> put = CompletableFuture.runAsync(() -> group.putAll(TWO, Expiry.never()));
        trap.awaitSprung(Nodes.PATIENCE);
        TimeUnit.MILLISECONDS.sleep(100); // the look-up waits for the lock by now
        assertThat(put).isNotDone();
        trap.deliver(Nodes.PATIENCE);
        put.get(20, TimeUnit.SECONDS);
        assertThat(same.get("key")).contains(LARGE);
    }

    @Test
    @Promise(8)
    void aCommitThatWasReportedAsFailedNeverAppears() throws Exception {
        Trap trap = proxy.cutAndDeliverLater("INSERT INTO \"" + nodes.schema() + "\".entry");
        assertThatThrownBy(() -> group.putAll(TWO, Expiry.never()))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(OutcomeUnknownException.class);
        trap.deliver(Nodes.PATIENCE);
        assertThat(same.get("key")).isEmpty();
        group.put("next", "value");
        assertThat(told).containsExactly("next");
    }

    @Test
    @Promise(8)
    void aCommitOfOneTextThatNeverArrivesIsMadeOnAnotherConnection() throws Exception {
        try (Watch watch = other.watch("group")) {
            Trap trap = proxy.cutBefore(nodes.storing());
            group.put("key", "value");
            assertThat(trap.hasSprung()).isTrue();
            assertThat(same.get("key")).contains("value");
            group.put("next", "value");
            assertThat(told).containsExactly("key", "next");
            assertThat(Nodes.keysUntil(watch, "next")).containsExactly("key", "next");
        }
    }

    @Test
    @Promise({8, 10})
    void aTextThatArrivesAfterItsCommitWasMadeAnewChangesNothing() throws Exception {
        group.put("key", "before");
        Trap trap = proxy.cutAndDeliverLater(nodes.storing());
        long version = group.put("key", "value");
        assertThat(trap.hasSprung()).isTrue();
        assertThat(same.put("key", "after")).isGreaterThan(version);
        trap.deliver(Nodes.PATIENCE);
        assertThat(same.get("key")).contains("after");
        group.put("next", "value");
        assertThat(told).containsExactly("key", "key", "key", "next");
    }

    /** The first connections that ask are lost as well. */
    @Test
    @Promise({11, 13})
    void whatALostAnswerSaidIsAskedUntilThereIsAnAnswer() throws Exception {
        group.put("key", "before");
        try (Watch own = store.watch("group")) {
            Trap trap = proxy.cutAfter(nodes.storing());
            Trap asking = trap;
            for (int i = 0; i < 6; i++) { // more than are taken for dead connections of the pool
                asking = asking.then(new Trap("l.due, l.changes", Trap.Fate.LOST));
            }
            group.put("key", "value");
            assertThat(asking.hasSprung()).isTrue();
            WatchSignal signal = own.poll(Nodes.PATIENCE).orElseThrow();
            assertThat(signal).isInstanceOfSatisfying(WatchSignal.Change.class, change -> assertThat(change.event())
                    .isInstanceOfSatisfying(
                            EntryPut.class, put -> assertThat(put.created()).isFalse()));
        }
    }

    /** It must not be made again: it was made, and only its answer is not known. */
    @Test
    @Promise({8, 10})
    void anIncrementWhoseAnswerNobodyCanTellIsMadeOnce() {
        Timeouts timeouts = new Timeouts(Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofMillis(300));
        Counters impatient = nodes.openLooking(nodes.hastyPool(3, Nodes.through(proxy)), timeouts)
                .counters("count");
        long unused = impatient.increment("warm");
        Trap asking = proxy.cutAfter(nodes.storing());
        for (int i = 0; i < 1_000; i++) {
            asking = asking.then(new Trap("l.due, l.changes", Trap.Fate.LOST));
        }
        assertThatThrownBy(() -> impatient.increment("key")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(other.counters("count").get("key")).contains(1L);
    }

    @Test
    @Promise({11, 13})
    void anOverwritingPutWhoseAnswerIsLostIsToldAsWhatItWas() throws Exception {
        group.put("key", "before");
        try (Watch own = store.watch("group")) {
            Trap trap = proxy.cutAfter(nodes.storing());
            group.put("key", "value");
            assertThat(trap.hasSprung()).isTrue();
            WatchSignal signal = own.poll(Nodes.PATIENCE).orElseThrow();
            assertThat(signal).isInstanceOfSatisfying(WatchSignal.Change.class, change -> assertThat(change.event())
                    .isInstanceOfSatisfying(
                            EntryPut.class, put -> assertThat(put.created()).isFalse()));
        }
    }

    @Test
    @Promise({11, 13})
    void overwritingPutsWhoseCommonAnswerIsLostAreToldAsWhatTheyWere() throws Exception {
        TestServer.assumeNoLockIsNeeded();
        group.put("old", "before");
        try (Watch own = store.watch("group");
                Connection holder = TestServer.dataSource().getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            nodes.lockSlots(statement);
            List<CompletableFuture<Long>> puts = new ArrayList<>();
            puts.add(group.async().put("warm", "once more"));
            Awaitility.await().atMost(Nodes.PATIENCE).until(() -> TestServer.hasLock(nodes.schema(), false));
            puts.add(group.async().put("new", "value"));
            puts.add(group.async().put("old", "value"));
            Trap trap = proxy.cutAfter(nodes.storing());
            holder.commit();
            List<Long> versions = new ArrayList<>();
            for (CompletableFuture<Long> put : puts) {
                versions.add(put.get(20, TimeUnit.SECONDS));
            }
            assertThat(trap.hasSprung()).isTrue();
            assertThat(versions).isSorted().doesNotHaveDuplicates();
            List<String> seen = new ArrayList<>();
            while (seen.size() < 3) {
                if (own.poll(Nodes.PATIENCE).orElseThrow() instanceof WatchSignal.Change change
                        && change.event() instanceof EntryPut put) {
                    seen.add(put.key() + (put.created() ? " created" : " replaced"));
                }
            }
            assertThat(seen).containsExactly("warm replaced", "new created", "old replaced");
            assertThat(same.entry("old").orElseThrow().version()).isEqualTo(versions.get(2));
        }
    }

    @Test
    @Promise({10, 11, 13})
    void aRowThatWasChangedUnreadIsAnsweredAndToldAlthoughTheAnswerIsLost() throws Exception {
        List<StoreEvent> events = new CopyOnWriteArrayList<>();
        long taken = same.put("taken", "value");
        long deleted = same.put("deleted", "value");
        same.put("replaced", "value");
        same.put("renewed", "value", Duration.ofHours(1));
        try (Watch own = store.watch("group")) {
            Trap trap = proxy.cutAfter(nodes.storing());
            assertThat(group.take("taken")).contains("value");
            assertThat(trap.hasSprung()).isTrue();
            trap = proxy.cutAfter(nodes.storing());
            assertThat(group.delete("deleted")).isTrue();
            assertThat(trap.hasSprung()).isTrue();
            trap = proxy.cutAfter(nodes.storing());
            long replaced = group.replace("replaced", "value", "other").orElseThrow();
            assertThat(trap.hasSprung()).isTrue();
            trap = proxy.cutAfter(nodes.storing());
            assertThat(group.getAndExpire("renewed", Expiry.never())).contains("value");
            assertThat(trap.hasSprung()).isTrue();
            group.put("next", "value");
            while (events.stream()
                    .noneMatch(
                            event -> event instanceof EntryPut put && put.key().equals("next"))) {
                if (own.poll(Nodes.PATIENCE).orElseThrow() instanceof WatchSignal.Change change) {
                    events.add(change.event());
                }
            }
            List<StoreEvent> last = events.subList(events.size() - 4, events.size());
            assertThat(((EntryDeleted) last.get(0)).version()).isEqualTo(taken);
            assertThat(((EntryDeleted) last.get(1)).version()).isEqualTo(deleted);
            assertThat(((EntryPut) last.get(2)).version()).isEqualTo(replaced);
            assertThat(((EntryPut) last.get(2)).created()).isFalse();
        }
        assertThat(same.contains("taken")).isFalse();
        assertThat(same.contains("deleted")).isFalse();
        assertThat(same.get("replaced")).contains("other");
        assertThat(same.entry("renewed").orElseThrow().expiresAt()).isNull();
    }

    @Test
    @Promise({8, 10})
    void aTakeThatNeverArrivesIsMadeOnAnotherConnection() throws Exception {
        same.put("key", "value");
        Trap trap = proxy.cutBefore(nodes.storing());
        assertThat(group.take("key")).contains("value");
        assertThat(trap.hasSprung()).isTrue();
        assertThat(group.take("key")).isEmpty();
    }

    @Test
    void aTransactionThatCannotSetNumbersAsideFailsAndChangesNothing() {
        Trap trap = proxy.cutAfter(Nodes.COMMIT);
        assertThatThrownBy(() ->
                        store.transactWithoutResult(tx -> tx.group("group").put("key", "value")))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(OutcomeUnknownException.class);
        assertThat(trap.hasSprung()).isTrue();
        assertThat(group.get("key")).isEmpty();
        store.transactWithoutResult(tx -> tx.group("group").put("key", "value"));
        assertThat(same.get("key")).contains("value");
    }

    @Test
    @Promise(13)
    void aCommitOfWhichNothingIsKnownIsReportedWhenItAppears() throws Exception {
        Timeouts timeouts = new Timeouts(Duration.ofMillis(100), Duration.ofSeconds(20), Duration.ofMillis(300));
        Store impatient = nodes.openLooking(nodes.hastyPool(3, Nodes.through(proxy)), timeouts);
        TextGroup unsure = impatient.group("group");
        unsure.put("warm", "value");
        List<String> later = new CopyOnWriteArrayList<>();
        impatient.onChange(event -> later.add(((EntryPut) event).key()));
        Trap trap = proxy.cutAndDeliverLater(Nodes.COMMIT);
        CompletableFuture<Throwable> failure =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> unsure.putAll(TWO, Expiry.never())));
        trap.awaitSprung(Nodes.PATIENCE);
        // The server keeps the slot locked meanwhile, because it has got a part of the text.
        assertThat(failure.get(20, TimeUnit.SECONDS))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("Read the entries to find out");
        assertThat(later).isEmpty();
        trap.deliver(Nodes.PATIENCE);
        Awaitility.await().atMost(Nodes.PATIENCE).untilAsserted(() -> assertThat(later)
                .containsExactly("key", "other"));
        assertThat(unsure.get("key")).contains(LARGE);
        unsure.put("next", "value");
        assertThat(later).containsExactly("key", "other", "next");
    }
}
