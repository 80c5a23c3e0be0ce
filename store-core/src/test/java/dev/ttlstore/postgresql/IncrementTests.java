package dev.ttlstore.postgresql;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Counters to which the server adds, because their last change was made by another node. */
@Tag("postgresql")
class IncrementTests {

    private static final Duration LATER = Duration.ofHours(1);

    private final Nodes nodes = new Nodes();
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final Store store = nodes.open(nodes.pool(3, ServerCommitTests.recording(TestServer.dataSource(), texts)));
    private final Counters counters = store.counters("group");
    private final Store otherStore = nodes.open();
    private final Counters other = otherStore.counters("group");
    private final TextGroup stored = otherStore.group("group");

    /** The first texts take longer, and a commit that is late is decided again. */
    @BeforeEach
    void warmUp() {
        for (int i = 0; i < 5; i++) {
            long unused = other.increment("warm") + counters.increment("warm");
        }
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    @Test
    void takesOneRoundTrip() {
        AtomicLong sum = new AtomicLong(other.increment("key", 10));
        Awaitility.await().pollInSameThread().untilAsserted(() -> {
            long before = other.increment("key");
            assertThat(ServerCommitTests.ofStore(texts, () -> sum.set(counters.increment("key", -5))))
                    .hasSize(1);
            assertThat(sum).hasValue(before - 5);
        });
    }

    @Test
    void createsWhatIsMissingInOneRoundTrip() {
        AtomicLong attempt = new AtomicLong();
        Awaitility.await().pollInSameThread().untilAsserted(() -> {
            String key = "key " + attempt.incrementAndGet();
            assertThat(ServerCommitTests.ofStore(texts, () -> assertThat(counters.increment(key, 3, LATER))
                            .isEqualTo(3)))
                    .hasSize(1);
            assertThat(stored.entry(key).orElseThrow().ttl()).isBetween(LATER.minusMinutes(1), LATER);
        });
    }

    @Test
    @Promise({2, 13})
    void keepsTheExpiryAndTellsItToAllNodes() throws Exception {
        List<StoreEvent> own = new CopyOnWriteArrayList<>();
        long unused = other.increment("key", 41, LATER);
        Instant created = stored.entry("key").orElseThrow().createdAt();
        Instant expires = stored.entry("key").orElseThrow().expiresAt();
        store.onChange(event -> {
            if (event instanceof EntryPut put && !put.created()) {
                own.add(event);
            }
        });
        try (Watch watch = otherStore.watch("group")) {
            assertThat(counters.increment("key")).isEqualTo(42);
            Awaitility.await().atMost(Nodes.PATIENCE).until(() -> own.size() == 1);
            assertThat(((EntryPut) own.get(0)).expiresAt()).isEqualTo(expires);
            assertThat(watch.poll(Nodes.PATIENCE))
                    .containsInstanceOf(WatchSignal.Change.class)
                    .hasValueSatisfying(signal ->
                            assertThat(((WatchSignal.Change) signal).event()).isEqualTo(own.get(0)));
        }
        assertThat(stored.entry("key")).hasValueSatisfying(entry -> {
            assertThat(entry.value()).isEqualTo("42");
            assertThat(entry.createdAt()).isEqualTo(created);
            assertThat(entry.expiresAt()).isEqualTo(expires);
            assertThat(entry.version()).isEqualTo(((EntryPut) own.get(0)).version());
        });
        // From what this node knows now.
        assertThat(counters.update("key", number -> number + 1)).contains(43L);
        assertThat(stored.entry("key").orElseThrow().createdAt()).isEqualTo(created);
        assertThat(stored.entry("key").orElseThrow().expiresAt()).isEqualTo(expires);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-7",
                "007",
                "+7",
                "0",
                "999999999999999999",
                "-99999999999999999",
                "9223372036854775806",
                "\u0661"
            })
    void addsToWhateverIsANumber(String number) {
        stored.put("key", number, LATER);
        long sum = Long.parseLong(number) + 1;
        assertThat(counters.increment("key")).isEqualTo(sum);
        assertThat(stored.get("key")).contains(Long.toString(sum));
    }

    @Test
    void addsAndSubtractsTheLargestNumbers() {
        stored.put("key", "-999999999999999999");
        assertThat(counters.increment("key", 999_999_999_999_999_999L)).isZero();
        assertThat(other.increment("key", Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(counters.increment("key", Long.MAX_VALUE)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "x", "1.5", "1 ", "9'", "\\061", "9223372036854775808"})
    void leavesWhatIsNoNumber(String text) {
        stored.put("key", text, LATER);
        long version = stored.entry("key").orElseThrow().version();
        assertThatThrownBy(() -> counters.increment("key")).isInstanceOf(CodecException.class);
        assertThat(stored.entry("key").orElseThrow().version()).isEqualTo(version);
        assertThat(counters.increment("next")).isOne();
    }

    @Test
    void leavesWhatWouldBeOutOfRange() {
        stored.put("key", Long.toString(Long.MAX_VALUE), LATER);
        assertThatThrownBy(() -> counters.increment("key"))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("'delta'");
        assertThat(stored.get("key")).contains(Long.toString(Long.MAX_VALUE));
    }

    @Test
    @Promise({3, 5, 13})
    void startsAgainAfterTheExpiryWhichIsToldOnce() {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        store.onChange(told::add);
        long unused = other.increment("key", 5, LATER);
        UnreadRowTests.expire(nodes, "key");
        assertThat(counters.increment("key", 1, LATER)).isOne();
        assertThat(told).filteredOn(EntryExpired.class::isInstance).hasSize(1);
        assertThat(told.get(told.size() - 1)).isInstanceOfSatisfying(EntryPut.class, put -> assertThat(put.created())
                .isTrue());
    }

    @Test
    @Promise({9, 10})
    void ofTwoNodesNoIncrementIsLost() throws Exception {
        int increments = Effort.of(60, 200);
        CompletableFuture<List<Long>> here = CompletableFuture.supplyAsync(() -> sums(counters, increments));
        CompletableFuture<List<Long>> there = CompletableFuture.supplyAsync(() -> sums(other, increments));
        List<Long> all = new ArrayList<>(here.get(60, TimeUnit.SECONDS));
        all.addAll(there.get(60, TimeUnit.SECONDS));
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 2L * increments).boxed().toList());
    }

    private static List<Long> sums(Counters counters, int increments) {
        return IntStream.range(0, increments)
                .mapToObj(i -> counters.increment("key"))
                .toList();
    }

    @Test
    @Promise({8, 19})
    void theUsageOfACountedNamespaceFollows() {
        Scope scope = otherStore.scope("app", new Quota(2, 0, 0));
        Counters counted = scope.counters("group");
        assertThat(counted.increment("key", 9)).isEqualTo(9);
        assertThat(store.scope("app").counters("group").increment("key")).isEqualTo(10);
        assertThat(scope.usage().bytes()).isEqualTo("key10".length());
        assertThat(counted.get("key")).isEqualTo(Optional.of(10L));
        assertThat(counted.putIfAbsent("key", 1L, Expiry.never())).isEmpty();
    }
}
