package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.Quota;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Commits that change a live row without having read it, because its last change was made by another node. */
@Tag("postgresql")
class UnreadRowTests {

    private static final Duration LATER = Duration.ofHours(1);

    private final Nodes nodes = new Nodes();
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final Store store = nodes.open(nodes.pool(3, ServerCommitTests.recording(TestServer.dataSource(), texts)));
    private final TextGroup group = store.group("group");
    private final Store otherStore = nodes.open();
    private final TextGroup other = otherStore.group("group");

    /** The first texts take longer, and a commit that is late is decided again. */
    @BeforeEach
    void warmUp() {
        for (int i = 0; i < 5; i++) {
            other.put("warm", "value", LATER);
            assertThat(group.getAndExpire("warm", Expiry.after(LATER.multipliedBy(2))))
                    .contains("value");
            assertThat(group.putIfPresent("warm", "value")).isPresent();
            assertThat(group.take("warm")).contains("value");
        }
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private void expire(String key) {
        expire(nodes, key);
    }

    /** Lets an entry expire long ago, which nothing in the store would do. */
    static void expire(Nodes nodes, String key) {
        String sql = "UPDATE \"%s\".entry SET due_at = 1000, expires_at = 1000 WHERE key = '%s'"
                .formatted(nodes.schema(), key);
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            int unused = statement.executeUpdate(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A change of an entry that another node has put. */
    @FunctionalInterface
    private interface Write {
        Object run(long version);
    }

    private void takesOneRoundTrip(Write write, Object answer) {
        Awaitility.await().pollInSameThread().untilAsserted(() -> {
            long version = other.put("key", "a", LATER);
            AtomicReference<Object> answered = new AtomicReference<>();
            assertThat(ServerCommitTests.ofStore(texts, () -> answered.set(write.run(version))))
                    .hasSize(1);
            assertThat(answered.get() instanceof OptionalLong put ? put.isPresent() : answered.get())
                    .isEqualTo(answer);
        });
    }

    @Test
    void whatNeedsNothingOfTheRowTakesOneRoundTrip() {
        Expiry longer = Expiry.after(LATER.multipliedBy(2));
        takesOneRoundTrip(version -> group.take("key"), Optional.of("a"));
        takesOneRoundTrip(version -> group.takeEntry("key").map(Entry::value), Optional.of("a"));
        takesOneRoundTrip(version -> group.getAndPutIfAbsent("key", "b"), Optional.of("a"));
        takesOneRoundTrip(version -> group.getAndPutIfAbsent("absent " + version, "b"), Optional.empty());
        takesOneRoundTrip(version -> group.delete("key"), true);
        takesOneRoundTrip(version -> group.delete("key", "a"), true);
        takesOneRoundTrip(version -> group.deleteVersion("key", version), true);
        takesOneRoundTrip(version -> group.expire("key", longer), true);
        takesOneRoundTrip(version -> group.getAndExpire("key", longer), Optional.of("a"));
        takesOneRoundTrip(version -> group.putIfPresent("key", "b"), true);
        takesOneRoundTrip(version -> group.replace("key", "a", "b"), true);
        takesOneRoundTrip(version -> group.replaceVersion("key", version, "b"), true);
    }

    @Test
    void whatFindsAnotherRowThanItExpectsTakesOneRoundTrip() {
        takesOneRoundTrip(version -> group.delete("key", "b"), false);
        takesOneRoundTrip(version -> group.deleteVersion("key", version - 32), false);
        takesOneRoundTrip(version -> group.deleteVersion("key", -1), false);
        takesOneRoundTrip(version -> group.replace("key", "b", "c"), false);
        takesOneRoundTrip(version -> group.replaceVersion("key", version + 32, "b"), false);
        assertThat(other.get("key")).contains("a");
    }

    @Test
    void aBatchOverSeveralGroupsTakesOneRoundTrip() {
        TestServer.assumeNoLockIsNeeded();
        TextGroup first = store.group("first");
        Awaitility.await().pollInSameThread().untilAsserted(() -> {
            long version = other.put("key", "a", LATER);
            WriteBatch batch = store.batch()
                    .requireVersion(group, "key", version)
                    .requireAbsent(first, "missing")
                    .delete(group, "key", "b")
                    .put(first, "key", "a", Expiry.never())
                    .put(group, "other", "b", Expiry.after(LATER));
            AtomicBoolean written = new AtomicBoolean();
            assertThat(ServerCommitTests.ofStore(texts, () -> written.set(batch.write())))
                    .hasSize(1);
            assertThat(written).isTrue();
        });
    }

    @Test
    void whatFindsNothingTakesOneRoundTrip() {
        takesOneRoundTrip(version -> group.take("missing"), Optional.empty());
        takesOneRoundTrip(version -> group.delete("missing"), false);
        takesOneRoundTrip(version -> group.expire("missing", Expiry.never()), false);
        takesOneRoundTrip(version -> group.getAndExpire("missing", Expiry.never()), Optional.empty());
        takesOneRoundTrip(version -> group.putIfPresent("missing", "b"), false);
        assertThat(group.contains("missing")).isFalse();
    }

    @Test
    @Promise({2, 8})
    void theRowIsChangedAsIfItHadBeenRead() {
        long version = other.put("key", "a", LATER);
        long created = other.entry("key").orElseThrow().createdAt().toEpochMilli();
        Instant expires = other.entry("key").orElseThrow().expiresAt();
        assertThat(group.expire("key", Expiry.after(LATER.multipliedBy(2)))).isTrue();
        assertThat(other.entry("key").orElseThrow().version()).isEqualTo(version);
        assertThat(other.entry("key").orElseThrow().expiresAt()).isAfter(expires);
        Awaitility.await().until(() -> System.currentTimeMillis() > created + 20);
        long replaced = group.putIfPresent("key", "b").orElseThrow();
        assertThat(replaced).isGreaterThan(version);
        assertThat(other.entry("key")).hasValueSatisfying(entry -> {
            assertThat(entry.value()).isEqualTo("b");
            assertThat(entry.version()).isEqualTo(replaced);
            assertThat(entry.createdAt().toEpochMilli()).isEqualTo(created);
            assertThat(entry.updatedAt().toEpochMilli()).isGreaterThan(created);
            assertThat(entry.expiresAt()).isNull();
        });
        assertThat(group.update("key", value -> value + "c")).contains("bc"); // from what this node knows now
        assertThat(other.entry("key").orElseThrow().createdAt().toEpochMilli()).isEqualTo(created);
    }

    /** Sessions would fill the log, and near caches would drop what is still right. */
    @Test
    void aRenewalTellsNothingToOtherNodes() throws SQLException {
        long version = other.put("key", "a", LATER);
        assertThat(group.expire("key", Expiry.after(LATER.multipliedBy(2)))).isTrue();
        assertThat(group.getAndExpire("key", Expiry.after(LATER.multipliedBy(3))))
                .contains("a");
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*), count(changes) FROM \"" + nodes.schema()
                        + "\".log WHERE seq > " + version / 32)) {
            assertThat(result.next()).isTrue();
            assertThat(result.getInt(1)).isEqualTo(2);
            assertThat(result.getInt(2)).isZero();
        }
    }

    @Test
    @Promise(13)
    void eachNodeIsToldTheSameOfTheChange() throws Exception {
        List<StoreEvent> own = new CopyOnWriteArrayList<>();
        long first = other.put("key", "a", LATER);
        store.onChange(event -> {
            if (event.sequence() > first) { // it may be told only now
                own.add(event);
            }
        });
        try (Watch watch = otherStore.watch("group")) {
            assertThat(group.expire("key", Expiry.after(LATER.multipliedBy(2)))).isTrue();
            long second = group.replace("key", "a", "b").orElseThrow();
            assertThat(group.take("key")).contains("b");
            long third = other.put("key", "c");
            assertThat(group.delete("key")).isTrue();
            assertThat(group.delete("key")).isFalse();
            Awaitility.await().atMost(Nodes.PATIENCE).until(() -> own.size() == 4);
            EntryPut put = (EntryPut) own.get(0);
            assertThat(put.version())
                    .isEqualTo(second)
                    .isEqualTo(put.sequence())
                    .isGreaterThan(first);
            assertThat(put.created()).isFalse();
            assertThat(((EntryDeleted) own.get(1)).version()).isEqualTo(second);
            assertThat(((EntryPut) own.get(2)).version()).isEqualTo(third);
            assertThat(((EntryDeleted) own.get(3)).version()).isEqualTo(third);
            assertThat(own).extracting(StoreEvent::sequence).isSorted().doesNotHaveDuplicates();
            for (StoreEvent event : own) {
                WatchSignal signal = watch.poll(Nodes.PATIENCE).orElseThrow();
                assertThat(signal).isInstanceOfSatisfying(WatchSignal.Change.class, change -> assertThat(change.event())
                        .isEqualTo(event));
            }
        }
    }

    @Test
    @Promise({3, 5, 13})
    void whatHasExpiredIsNotChangedAndItsExpiryIsToldOnce() {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        store.onChange(told::add);
        List<Write> writes = List.of(
                version -> group.take("key"),
                version -> group.delete("key"),
                version -> group.expire("key", Expiry.never()),
                version -> group.getAndExpire("key", Expiry.never()),
                version -> group.replaceVersion("key", version, "b"));
        for (Write write : writes) {
            long version = other.put("key", "a", LATER);
            expire("key");
            told.clear();
            assertThat(write.run(version)).isIn(false, Optional.empty(), OptionalLong.empty());
            assertThat(told)
                    .filteredOn(EntryExpired.class::isInstance)
                    .singleElement()
                    .satisfies(event ->
                            assertThat(((EntryExpired) event).version()).isEqualTo(version));
            assertThat(told).noneMatch(EntryDeleted.class::isInstance);
            assertThat(other.get("key")).isEmpty();
        }
    }

    /** A statement that has not read the row must leave what has expired to one that keeps it and records its delivery. */
    @Test
    @Promise({3, 17})
    void whatHasExpiredIsRetainedAndDeliveredOnceWhicheverNodeMeetsIt() {
        Store keeping = nodes.open(
                PostgreSql.on(TestServer.pool()).schema(nodes.schema()),
                builder -> builder.retention(Duration.ofDays(40_000))); // they expired in 1970
        List<Long> delivered = new CopyOnWriteArrayList<>();
        keeping.onExpired("mailer", "group", expired -> delivered.add(expired.version()));
        TextGroup here = keeping.group("group");
        List<Write> writes = List.of(
                version -> here.take("key"),
                version -> here.delete("key"),
                version -> here.putIfPresent("key", "b"),
                version -> here.replace("key", "a", "b"),
                version -> here.put("key", "b"),
                version -> here.putIfAbsent("key", "b"));
        List<Long> expired = new ArrayList<>();
        for (Write write : writes) {
            long version = other.put("key", "a", LATER);
            expired.add(version);
            expire("key");
            Object unused = write.run(version);
            long unusedPurge = keeping.purgeExpired();
        }
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> delivered.size() >= expired.size());
        assertThat(delivered).containsExactlyElementsOf(expired);
        assertThat(keeping.expired(Instant.EPOCH, Instant.now()))
                .extracting(RetainedEntry::version)
                .containsExactlyInAnyOrderElementsOf(expired);
    }

    @Test
    @Promise(7)
    void anEarlierExpiryIsSetAndKnownToTheNearCachesOfOthers() {
        Store caching = nodes.open(
                PostgreSql.on(TestServer.pool()).schema(nodes.schema()), builder -> builder.cacheSize(1024 * 1024));
        TextGroup cached = caching.group("group");
        other.put("key", "a", LATER);
        Awaitility.await().atMost(Nodes.PATIENCE).untilAsserted(() -> {
            assertThat(cached.get("key")).contains("a");
        });
        assertThat(group.expire("key", Expiry.after(Duration.ofMillis(1)))).isTrue();
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> cached.get("key").isEmpty());
        other.put("key", "b", LATER);
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> cached.get("key").equals(Optional.of("b")));
        assertThat(group.take("key")).contains("b");
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> cached.get("key").isEmpty());
    }

    @Test
    @Promise({3, 13})
    void aPutThatExpiresAtOnceIsMadeAndThenExpires() {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        long before = other.put("key", "a", LATER);
        store.onChange(event -> {
            if (event.sequence() > before) {
                told.add(event);
            }
        });
        long version = group.putIfPresent("key", "b", Expiry.now()).orElseThrow();
        assertThat(group.contains("key")).isFalse();
        assertThat(other.put("key", "c")).isGreaterThan(version);
        assertThat(group.getAndExpire("key", Expiry.now())).contains("c");
        assertThat(group.take("key")).isEmpty();
        Awaitility.await().atMost(Nodes.PATIENCE).untilAsserted(() -> assertThat(told)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("EntryPut", "EntryExpired", "EntryPut", "EntryExpired"));
    }

    @Test
    void aLargeValueIsTakenInThreeRoundTrips() {
        String large = "x".repeat(4_096 + 1);
        Awaitility.await().pollInSameThread().untilAsserted(() -> {
            other.put("key", large);
            assertThat(ServerCommitTests.ofStore(
                            texts, () -> assertThat(group.take("key")).contains(large)))
                    .hasSize(3);
        });
        assertThat(other.get("key")).isEmpty();
    }

    @Test
    void aValueThatCannotBeReadIsLeftAsItIs() {
        Group<byte[]> bytes = otherStore.group("group", byte[].class);
        byte[] noText = {(byte) 0xff};
        bytes.put("key", noText, LATER);
        Object expiry = bytes.entry("key").orElseThrow().expiresAt();
        assertThatThrownBy(() -> group.take("key")).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> group.getAndExpire("key", Expiry.never())).isInstanceOf(CodecException.class);
        assertThat(bytes.entry("key").orElseThrow().expiresAt()).isEqualTo(expiry);
        assertThat(store.group("group", byte[].class).take("key")).hasValue(noText);
    }

    /** Text for Java, but not for the server. */
    @Test
    void aTextWithAZeroIsTaken() {
        String zero = new String(new byte[] {'a', 0, 'b'}, StandardCharsets.UTF_8);
        other.put("key", zero);
        assertThat(group.take("key")).contains(zero);
        assertThat(group.take("key")).isEmpty();
    }

    @Test
    @Promise(10)
    void ofTwoNodesOneTakes() throws Exception {
        int keys = 100;
        for (int i = 0; i < keys; i++) {
            other.put("k" + i, "v" + i);
        }
        CompletableFuture<List<Boolean>> here = CompletableFuture.supplyAsync(() -> taken(group, keys));
        CompletableFuture<List<Boolean>> there = CompletableFuture.supplyAsync(() -> taken(other, keys));
        List<Boolean> first = here.get(60, TimeUnit.SECONDS);
        List<Boolean> second = there.get(60, TimeUnit.SECONDS);
        for (int i = 0; i < keys; i++) {
            assertThat(first.get(i)).isNotEqualTo(second.get(i));
        }
    }

    private static List<Boolean> taken(TextGroup from, int keys) {
        return IntStream.range(0, keys)
                .mapToObj(i -> from.take("k" + i).isPresent())
                .toList();
    }

    /** Each value that was put is taken, replaced by a later put, or still there, as the events tell. */
    @Test
    @Promise({10, 13})
    void takesBesidePutsOfAnotherNodeTakeEachValueOnce() throws Exception {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        store.onChange(told::add);
        int puts = Effort.of(60, 200);
        CompletableFuture<Void> putting =
                CompletableFuture.runAsync(() -> IntStream.range(0, puts).forEach(i -> other.put("key", "v" + i)));
        List<String> taken = new CopyOnWriteArrayList<>();
        while (!putting.isDone()) {
            group.take("key").ifPresent(taken::add);
        }
        putting.get(60, TimeUnit.SECONDS);
        group.take("key").ifPresent(taken::add);
        assertThat(taken).doesNotHaveDuplicates();
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> told.size() == puts + taken.size());
        assertThat(told).extracting(StoreEvent::sequence).isSorted().doesNotHaveDuplicates();
        long last = 0;
        boolean there = false;
        for (StoreEvent event : told) {
            if (event instanceof EntryPut put) {
                assertThat(put.created()).isEqualTo(!there);
                last = put.version();
            } else {
                assertThat(((EntryDeleted) event).version()).isEqualTo(last);
            }
            there = event instanceof EntryPut;
        }
    }

    @Test
    @Promise({8, 19})
    void inANamespaceThatIsCountedTheUsageFollows() {
        Scope scope = otherStore.scope("app", new Quota(2, 0, 0));
        scope.group("group").putAll(Map.of("a", "1", "b", "2"), Expiry.never());
        TextGroup same = store.scope("app").group("group"); // a node that has no quota for it
        assertThat(same.take("a")).contains("1");
        assertThat(scope.usage().keys()).isEqualTo(1);
        assertThat(same.delete("b")).isTrue();
        assertThat(scope.usage().keys()).isZero();
        assertThat(scope.group("group").put("c", "3")).isPositive();
        assertThat(scope.group("group").putIfPresent("c", "33")).isPresent();
        assertThat(scope.usage().bytes()).isEqualTo(3);
    }
}
