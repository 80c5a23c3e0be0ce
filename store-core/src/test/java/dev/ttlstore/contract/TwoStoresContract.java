package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

/**
 * What two stores promise that share one database, as in two processes. The test of an engine for several processes extends this
 * class, besides {@link StoreContract}.
 */
public abstract class TwoStoresContract {

    private static final int THREADS = 8;
    private static final int WRITES = Effort.of(10, 25);

    private static final int PUTS = Effort.of(10, 40);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Less than the ten seconds after which a store looks by itself, in case a report was lost. */
    private static final Duration BEFORE_A_LOOK = Duration.ofSeconds(7);

    /** One of the two stores. */
    protected enum Node {
        FIRST,
        SECOND
    }

    private final MovableClock clock = new MovableClock();

    private @Nullable Store first;
    private @Nullable Store second;

    /**
     * Creates a builder for a store of one of the nodes. Within one test both name the same database.
     *
     * @param node the node
     * @return the builder
     */
    protected abstract StoreBuilder builder(Node node);

    /**
     * Ends a node as a crash does: it releases nothing, and its later calls fail or have no effect.
     *
     * @param node the node
     */
    protected abstract void kill(Node node);

    @BeforeEach
    final void open() {
        first = settings(Node.FIRST).open();
        second = settings(Node.SECOND).open();
    }

    private StoreBuilder settings(Node node) {
        return builder(node).clock(clock).purgeInterval(Duration.ZERO).expiryOnTime(false);
    }

    @AfterEach
    final void close() {
        for (Store store : new Store[] {first, second}) {
            if (store != null) {
                store.close();
            }
        }
    }

    private Store first() {
        return requireNonNull(first);
    }

    private Store second() {
        return requireNonNull(second);
    }

    private Store of(int thread) {
        return thread % 2 == 0 ? first() : second();
    }

    private TextGroup group(int thread) {
        return of(thread).group("group");
    }

    @Test
    @Promise(8)
    void aTransactionOfManyWritesSucceedsAlthoughTheOtherStoreWritesMeanwhile() {
        int writes = Effort.of(1_000, 2_500);
        AtomicInteger runs = new AtomicInteger();
        List<CompletableFuture<Long>> others = new ArrayList<>();
        first().transactWithoutResult(tx -> {
            assertThat(runs.incrementAndGet()).isLessThanOrEqualTo(2);
            for (int i = 0; i < writes; i++) {
                long unused = tx.group("group").put("key" + i, "value");
                if (i % 500 == 0) {
                    others.add(second().group("group").async().put("other", "value" + i));
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .until(() -> runs.get() > 1
                                    || others.get(others.size() - 1).isDone());
                }
            }
        });
        others.forEach(CompletableFuture::join);
        assertThat(second().group("group").count()).isEqualTo(writes + 1L);
    }

    @Test
    @Promise(1)
    void eachReadsWhatTheOtherHasWritten() {
        first().group("group").put("key", "a");
        assertThat(second().group("group").get("key")).contains("a");
        second().group("group").put("key", "b");
        assertThat(first().group("group").get("key")).contains("b");
        first().group("group").delete("key");
        assertThat(second().group("group").get("key")).isEmpty();
    }

    private interface Attempt {
        boolean wins(TextGroup group, long version, int thread);
    }

    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Contest {
        REPLACE((group, version, thread) ->
                group.replace("key", "value", "won by " + thread).isPresent()),
        REPLACE_VERSION((group, version, thread) ->
                group.replaceVersion("key", version, "won by " + thread).isPresent()),
        DELETE((group, version, thread) -> group.delete("key")),
        DELETE_VERSION((group, version, thread) -> group.deleteVersion("key", version)),
        TAKE((group, version, thread) -> group.take("key").isPresent()),
        BY_VERSION((group, version, thread) -> thread < THREADS / 2
                ? group.deleteVersion("key", version)
                : group.replaceVersion("key", version, "won by " + thread).isPresent());

        private final Attempt attempt;

        Contest(Attempt attempt) {
            this.attempt = attempt;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Promise(10)
    void ofManyThatWantAnEntryOneWins(Contest contest) {
        for (int round = 0; round < Effort.of(5, 20); round++) {
            first().group("group").put("key", "value", Duration.ofHours(1));
            long version = second().group("group").entry("key").orElseThrow().version();
            List<Boolean> won =
                    Threads.together(THREADS, thread -> contest.attempt.wins(group(thread), version, thread));
            assertThat(won.stream().filter(Boolean::booleanValue)).hasSize(1);
        }
    }

    @Test
    @Promise(10)
    void ofManyThatPutIfAbsentOneWinsAndItsValueStands() {
        for (int round = 0; round < Effort.of(5, 20); round++) {
            String key = "key" + round;
            List<Boolean> won = Threads.together(
                    THREADS,
                    thread -> group(thread).putIfAbsent(key, "won by " + thread).isPresent());
            assertThat(won.stream().filter(Boolean::booleanValue)).hasSize(1);
            assertThat(first().group("group").get(key)).contains("won by " + won.indexOf(true));
        }
    }

    @Test
    @Promise(10)
    void noUpdateIsLost() {
        first().group("group").put("sum", "0");
        Threads.together(THREADS, thread -> {
            for (int i = 0; i < WRITES; i++) {
                group(thread).update("sum", sum -> String.valueOf(Integer.parseInt(sum) + 1));
                long unused = of(thread).counters("counters").increment("sum");
            }
            return true;
        });
        assertThat(first().group("group").get("sum")).contains(String.valueOf(THREADS * WRITES));
        assertThat(second().counters("counters").get("sum")).contains((long) THREADS * WRITES);
    }

    @Test
    @Promise(9)
    void noVersionIsUsedTwice() {
        Set<Long> versions = ConcurrentHashMap.newKeySet();
        first().onChange(event -> {
            if (event instanceof EntryPut put) {
                assertThat(versions.add(put.version())).isTrue();
            }
        });
        Threads.together(THREADS, thread -> {
            for (int i = 0; i < WRITES; i++) {
                of(thread).group("group" + i % 3).put("key" + thread, "value");
            }
            return true;
        });
        Awaitility.await().atMost(PATIENCE).until(() -> versions.size() == THREADS * WRITES);
        assertThat(first().activity().listenerFailures()).isZero();
    }

    @Test
    @Promise(8)
    void transactionsOfBothDecideAsIfOneRanAfterTheOther() {
        int attempts = Effort.of(6, 15);
        first().group("group").put("a", "100");
        first().group("group").put("b", "100");
        Threads.together(THREADS, thread -> {
            for (int i = 0; i < attempts; i++) {
                int amount = thread + i;
                of(thread).transact(transaction -> {
                    TextGroup group = transaction.group("group");
                    group.update("a", a -> String.valueOf(Integer.parseInt(a) - amount));
                    group.update("b", b -> String.valueOf(Integer.parseInt(b) + amount));
                    return true;
                });
            }
            return true;
        });
        int moved = IntStream.range(0, THREADS)
                .map(thread -> IntStream.range(0, attempts).map(i -> thread + i).sum())
                .sum();
        assertThat(second().group("group").get("a")).contains(String.valueOf(100 - moved));
        assertThat(first().group("group").get("b")).contains(String.valueOf(100 + moved));
    }

    @Test
    @Promise(8)
    void aTransactionThatFindsNothingInARangeIsRightWhenItCommits() {
        for (int round = 0; round < Effort.of(5, 20); round++) {
            String name = "round" + round;
            List<Boolean> put = Threads.together(4, thread -> of(thread).transact(transaction -> {
                TextGroup group = transaction.group(name);
                boolean empty = group.keys().findAny().isEmpty();
                if (empty) {
                    group.put("key" + thread, "value");
                }
                return empty;
            }));
            assertThat(put.stream().filter(Boolean::booleanValue)).hasSize(1);
            assertThat(first().group(name).count()).isEqualTo(1);
        }
    }

    @Test
    @Promise(19)
    void aQuotaHoldsForBothTogether() {
        int attempts = Effort.of(8, 15);
        Quota quota = new Quota(50, 4, 0);
        Scope[] scopes = {first().scope("acme", quota), second().scope("acme", quota)};
        AtomicInteger refused = new AtomicInteger();
        Threads.together(THREADS, thread -> {
            for (int i = 0; i < attempts; i++) {
                try {
                    scopes[thread % 2].group("group" + i % 4).put("key" + thread + "-" + i, "value");
                } catch (QuotaExceededException e) {
                    refused.incrementAndGet();
                }
            }
            return true;
        });
        assertThat(refused).hasValue(THREADS * attempts - 50);
        assertThat(scopes[0].usage().keys()).isEqualTo(50);
        assertThat(scopes[1].usage()).isEqualTo(scopes[0].usage());
    }

    @Test
    @Promise(19)
    void aQuotaOfGroupsHoldsForBothTogether() {
        Quota quota = new Quota(0, 3, 0);
        Scope[] scopes = {first().scope("acme", quota), second().scope("acme", quota)};
        for (int round = 0; round < Effort.of(3, 10); round++) {
            Threads.together(THREADS, thread -> {
                try {
                    scopes[thread % 2].group("group" + thread).put("key", "value");
                    return true;
                } catch (QuotaExceededException e) {
                    return false;
                }
            });
            assertThat(scopes[round % 2].usage().groups()).isEqualTo(3);
            long unused = scopes[0].deletePrefix("");
        }
    }

    @Test
    @Promise(13)
    void bothSeeEveryChangeOnceAndInTheSameOrder() {
        Recorder atFirst = new Recorder();
        Recorder atSecond = new Recorder();
        first().onChange(atFirst);
        second().onChange(atSecond);
        Threads.together(4, thread -> {
            for (int i = 0; i < PUTS; i++) {
                TextGroup group = of(thread).group("group" + i % 3);
                group.put("key" + i % 5, "value");
                if (i % 4 == 0) {
                    boolean unused = group.delete("key" + i % 5);
                }
            }
            return true;
        });
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(atSecond.events())
                .containsExactlyInAnyOrderElementsOf(atFirst.events()));
        assertThat(byGroup(atFirst)).isEqualTo(byGroup(atSecond));
        byGroup(atFirst).values().forEach(events -> assertThat(events)
                .extracting(StoreEvent::sequence)
                .isSorted()
                .doesNotHaveDuplicates());
        assertThat(atFirst.events(EntryPut.class)).hasSize(4 * PUTS);
    }

    private static Map<String, List<StoreEvent>> byGroup(Recorder recorder) {
        return recorder.events().stream().collect(Collectors.groupingBy(StoreEvent::group));
    }

    @Test
    @Promise(13)
    void anExpiredEntryIsToldOnceWhoeverFindsIt() {
        Recorder atFirst = new Recorder();
        Recorder atSecond = new Recorder();
        first().onChange(atFirst);
        second().onChange(atSecond);
        for (int i = 0; i < 40; i++) {
            group(i).put("key" + i, "value", Duration.ofMillis(5));
        }
        clock.advance(Duration.ofMillis(5));
        long purged = Threads.together(4, thread -> of(thread).purgeExpired()).stream()
                .mapToLong(Long::longValue)
                .sum();
        assertThat(purged).isEqualTo(40);
        for (Recorder recorder : List.of(atFirst, atSecond)) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> recorder.events(EntryExpired.class).size() >= 40);
            assertThat(recorder.events(EntryExpired.class))
                    .extracting(EntryExpired::key)
                    .doesNotHaveDuplicates()
                    .hasSize(40);
        }
    }

    @Test
    @Promise(5)
    void whatOneHasSeenExpireTheOtherDoesNotRenew() {
        for (int round = 0; round < Effort.of(10, 30); round++) {
            String key = "key" + round;
            first().group("group").put(key, "value", Duration.ofMillis(5));
            clock.advance(Duration.ofMillis(4));
            List<Boolean> seen = Threads.together(3, thread -> switch (thread) {
                case 0 -> second().group("group").expire(key, Duration.ofHours(1));
                case 1 -> {
                    clock.advance(Duration.ofMillis(1));
                    yield true;
                }
                default -> first().group("group").contains(key);
            });
            boolean renewed = seen.get(0);
            if (!seen.get(2)) {
                assertThat(renewed).isFalse();
            }
            assertThat(first().group("group").contains(key)).isEqualTo(renewed);
            assertThat(second().group("group").contains(key)).isEqualTo(renewed);
        }
    }

    @Test
    @Promise(16)
    void anEntryOfTheOtherExpiresOnTimeForWhoeverListens() {
        close();
        first = builder(Node.FIRST).purgeInterval(Duration.ZERO).open();
        second = builder(Node.SECOND).purgeInterval(Duration.ZERO).open();
        Recorder recorder = new Recorder();
        second().onChange(recorder);
        first().group("group").put("key", "value", Duration.ofMillis(200));
        Awaitility.await().atMost(BEFORE_A_LOOK).until(() -> !recorder.events(EntryExpired.class)
                .isEmpty());
        assertThat(first().group("group").contains("key")).isFalse();
    }

    @Test
    @Promise(15)
    void aWatchFollowsBoth() throws InterruptedException {
        List<String> keys = new ArrayList<>();
        try (var watch = second().group("group").watch()) {
            first().group("group").put("a", "value");
            second().group("group").put("b", "value");
            while (keys.size() < 2) {
                WatchSignal signal = watch.poll(PATIENCE).orElseThrow();
                keys.add(((EntryPut) ((WatchSignal.Change) signal).event()).key());
            }
        }
        assertThat(keys).containsExactly("a", "b");
    }

    @Test
    @Promise(17)
    void eachDeliveryIsHandledOnceByOneOfThem() {
        int entries = Effort.of(60, 200);
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        first().onExpired("mail", "group", String.class, entry -> handled.add(entry.key()));
        second().onExpired("mail", "group", String.class, entry -> handled.add(entry.key()));
        for (int i = 0; i < entries; i++) {
            group(i).put("key" + i, "value", Duration.ofMillis(5));
        }
        clock.advance(Duration.ofMillis(5));
        Threads.together(2, thread -> of(thread).purgeExpired());
        Awaitility.await().atMost(PATIENCE).until(() -> pending() == 0);
        assertThat(handled).hasSize(entries).doesNotHaveDuplicates();
    }

    @Test
    @Promise(17)
    void theHandlerOfOneIsCalledForWhatTheOtherHasPurged() {
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        second().onExpired("mail", "group", String.class, entry -> handled.add(entry.key()));
        first().group("group").put("key", "value", Duration.ofMillis(5));
        clock.advance(Duration.ofMillis(5));
        assertThat(first().purgeExpired()).isEqualTo(1);
        Awaitility.await().atMost(BEFORE_A_LOOK).until(() -> handled.contains("key"));
    }

    @Test
    @Promise(17)
    void theDeliveriesOfOneKeyComeInOrderWhoeverHandlesThem() {
        int deliveries = Effort.of(20, 60);
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        first().onExpired("mail", "group", String.class, entry -> handled.add(entry.value()));
        second().onExpired("mail", "group", String.class, entry -> handled.add(entry.value()));
        List<String> values = new ArrayList<>();
        for (int i = 0; i < deliveries; i++) {
            values.add("value" + i);
            group(i).put("key", "value" + i, Duration.ofMillis(1));
            clock.advance(Duration.ofMillis(1));
        }
        long unused = first().purgeExpired();
        Awaitility.await().atMost(PATIENCE).until(() -> handled.size() == deliveries);
        assertThat(handled).containsExactlyElementsOf(values);
    }

    private long pending() {
        return second().expirySubscribers().stream()
                .mapToLong(subscriber -> subscriber.pending())
                .sum();
    }

    @Test
    @Promise(17)
    void whatADeadNodeHadInHandIsHandledByTheOther() {
        close();
        first = settings(Node.FIRST).closeTimeout(Duration.ofMillis(500)).open(); // it cannot note anything any more
        second = settings(Node.SECOND).open();
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch inHand = new CountDownLatch(1);
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        first().onExpired("mail", "group", String.class, entry -> {
            inHand.countDown();
            never.await();
        });
        for (int i = 0; i < 20; i++) {
            first().group("group").put("key" + i, "value", Duration.ofMillis(5));
        }
        clock.advance(Duration.ofMillis(5));
        assertThat(first().purgeExpired()).isEqualTo(20);
        Threads.await(inHand);
        second().onExpired("mail", "group", String.class, entry -> handled.add(entry.key()));
        kill(Node.FIRST);
        // Its claims end some time after its death.
        clock.advance(Duration.ofMinutes(1));
        second().group("group").put("last", "value", Duration.ofMillis(5));
        clock.advance(Duration.ofMillis(5));
        assertThat(second().purgeExpired()).isEqualTo(1); // which has the handlers' thread look for deliveries
        Awaitility.await().atMost(PATIENCE).until(() -> pending() == 0);
        assertThat(Set.copyOf(handled)).hasSize(21);
        never.countDown(); // so that the closing does not wait for the handler
    }

    @Test
    @Promise({8, 10, 22})
    void afterTheDeathOfOneTheOtherGoesOn() {
        first().group("group").put("key", "value");
        kill(Node.FIRST);
        assertThat(second().group("group").take("key")).isEqualTo(Optional.of("value"));
        second().group("group").put("key", "new");
        Optional<String> seen =
                second().transact(transaction -> transaction.group("group").get("key"));
        assertThat(seen).contains("new");
    }
}
