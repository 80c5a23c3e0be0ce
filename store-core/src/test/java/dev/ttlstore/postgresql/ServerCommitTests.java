package dev.ttlstore.postgresql;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/** Commits that are decided in the server, while something changes before they have the lock of their slot. */
@Tag("postgresql")
class ServerCommitTests {

    private final Nodes nodes = new Nodes();

    /** The tests keep the slots locked while they look for who waits, which may take long. */
    private final Store store =
            nodes.open(TestServer.pool(), new Timeouts(Nodes.PATIENCE, Nodes.PATIENCE, Duration.ofSeconds(5)));

    private final TextGroup group = store.group("group");

    /** A node that nobody has told that the slot is locked. */
    private Connection holder;

    @BeforeEach
    void warmUp() throws SQLException {
        group.put("warm", "value");
        group.put("warm", "again");
        holder = TestServer.dataSource().getConnection();
        holder.setAutoCommit(false);
    }

    @AfterEach
    void close() throws IOException, SQLException {
        holder.close();
        nodes.close();
    }

    /** Has the store decide, and then wait for the slot while something else is committed there. */
    private <R> R whileChanged(Function<TextGroup, R> write, String... changes) throws Exception {
        try (Statement statement = holder.createStatement()) {
            nodes.lockSlots(statement);
            CompletableFuture<R> answer = CompletableFuture.supplyAsync(() -> write.apply(group));
            Awaitility.await().atMost(Nodes.PATIENCE).until(this::isAwaited);
            for (String change : changes) {
                statement.executeUpdate(change.replace("@entry", table("entry")).replace("@log", table("log")));
            }
            holder.commit();
            return answer.get(20, TimeUnit.SECONDS);
        }
    }

    private String table(String name) {
        return '"' + nodes.schema() + "\"." + name;
    }

    private boolean isAwaited() throws SQLException {
        return TestServer.hasLock(nodes.schema(), false);
    }

    /** What another node's put of the key does to its row. */
    private static String anotherPut(String value) {
        return "UPDATE @entry SET version = version + 32, value = '\\x"
                + String.format("%x", new BigInteger(1, value.getBytes(StandardCharsets.UTF_8)))
                + "' WHERE key = 'key'";
    }

    @Test
    @Promise({9, 10})
    void aReplaceThatWasDecidedTooEarlyIsDecidedAgain() throws Exception {
        group.put("key", "a");
        OptionalLong replaced = whileChanged(g -> g.replace("key", "a", "b"), anotherPut("c"));
        assertThat(replaced).isEmpty();
        assertThat(group.get("key")).contains("c");
    }

    @Test
    @Promise(10)
    void aTakeThatWasDecidedTooEarlyTakesWhatIsThere() throws Exception {
        group.put("key", "a");
        Optional<String> taken = whileChanged(g -> g.take("key"), anotherPut("c"));
        assertThat(taken).contains("c");
        assertThat(group.get("key")).isEmpty();
    }

    @Test
    @Promise(10)
    void aTakeOfWhatIsGoneMeanwhileTakesNothing() throws Exception {
        group.put("key", "a");
        Optional<String> taken = whileChanged(g -> g.take("key"), "DELETE FROM @entry WHERE key = 'key'");
        assertThat(taken).isEmpty();
    }

    @Test
    @Promise(10)
    void aPutIfAbsentOfWhatIsThereMeanwhilePutsNothing() throws Exception {
        group.put("other", "c");
        OptionalLong put =
                whileChanged(g -> g.putIfAbsent("key", "a"), "UPDATE @entry SET key = 'key' WHERE key = 'other'");
        assertThat(put).isEmpty();
        assertThat(group.get("key")).contains("c");
    }

    @Test
    @Promise({3, 5})
    void aRenewalOfWhatHasExpiredMeanwhileDoesNothing() throws Exception {
        group.put("key", "a", Duration.ofHours(1));
        boolean renewed = whileChanged(
                g -> g.expire("key", Duration.ofHours(2)),
                "UPDATE @entry SET due_at = 1000, expires_at = 1000 WHERE key = 'key'");
        assertThat(renewed).isFalse();
        assertThat(group.get("key")).isEmpty();
    }

    @Test
    @Promise({3, 13})
    void aPutOverWhatHasExpiredMeanwhileTellsBoth() throws Exception {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        group.put("key", "a", Duration.ofHours(1));
        store.onChange(told::add);
        long version = whileChanged(
                g -> g.put("key", "b"), "UPDATE @entry SET due_at = 1000, expires_at = 1000 WHERE key = 'key'");
        assertThat(told)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("EntryExpired", "EntryPut");
        EntryPut put = (EntryPut) told.get(1);
        assertThat(put.created()).isTrue();
        assertThat(put.version()).isEqualTo(version);
    }

    /** A purge of another node has come to that time, and never looks for what expired before it. */
    @Test
    @Promise({13, 17})
    void nothingExpiresBeforeTheTimeOfTheSlot() throws Exception {
        long unused = whileChanged(
                g -> g.put("key", "a", Duration.ofMillis(1)),
                "INSERT INTO @log (slot, seq, n, at, batch, deliveries)"
                        + " SELECT slot, max(seq) + 1, 1, extract(epoch FROM clock_timestamp()) * 1000 + 5000,"
                        + " gen_random_uuid(), false FROM @log GROUP BY slot");
        try (Statement statement = holder.createStatement();
                ResultSet result = statement.executeQuery("SELECT e.expires_at > l.at FROM " + table("entry") + " e, "
                        + table("log") + " l WHERE e.key = 'key' AND l.slot = e.slot AND l.due IS NULL"
                        + " ORDER BY l.at DESC LIMIT 1")) {
            assertThat(result.next()).isTrue();
            assertThat(result.getBoolean(1)).isTrue();
        }
    }

    @Test
    @Promise({9, 13})
    void numbersAreHigherThanThoseOfACommitFarAhead() throws Exception {
        String ahead = "INSERT INTO @log (slot, seq, n, at, batch, deliveries)"
                + " SELECT slot, max(seq) + 60000000, 1, 0, gen_random_uuid(), false FROM @log GROUP BY slot";
        long before = group.put("key", "a");
        long version = whileChanged(g -> g.put("key", "b"), ahead);
        assertThat(version).isGreaterThan(before + 60_000_000L * 32);
        assertThat(group.put("key", "c")).isGreaterThan(version);
    }

    @Test
    @Promise({9, 13})
    void aPutAndADeleteThatShareACommitUseUpTheirNumbers() throws Exception {
        List<Long> numbers = new CopyOnWriteArrayList<>();
        try (Store still = Store.builder()
                        .engine(PostgreSql.on(TestServer.pool()).schema(nodes.schema()))
                        .clock(InstantSource.fixed(
                                Instant.now().plusSeconds(60))) // or later numbers are higher by themselves
                        .open();
                Statement statement = holder.createStatement()) {
            TextGroup own = still.group("group");
            own.put("warm", "value");
            still.onChange(event -> numbers.add(event.sequence()));
            nodes.lockSlots(statement);
            CompletableFuture<Long> first = own.async().put("warm", "once more");
            Awaitility.await().atMost(Nodes.PATIENCE).until(this::isAwaited);
            CompletableFuture<Long> put = own.async().put("key", "a");
            CompletableFuture<Boolean> deleted = own.async().delete("key");
            holder.commit();
            CompletableFuture.allOf(first, put, deleted).get(20, TimeUnit.SECONDS);
            long unusedToo = own.put("key", "b") + own.put("key", "c");
        }
        assertThat(numbers).hasSize(5).doesNotHaveDuplicates().isSorted();
    }

    @Test
    @Promise({2, 13})
    void anOverwritingPutKeepsTheCreationAndSaysWhetherItHasReplacedAnEntry() {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        store.onChange(told::add);
        group.put("key", "a");
        long created = group.entry("key").orElseThrow().createdAt().toEpochMilli();
        Awaitility.await().until(() -> group.entry("warm").isPresent() && System.currentTimeMillis() > created + 20);
        group.put("key", "b", Expiry.after(Duration.ofHours(1)));
        assertThat(group.entry("key").orElseThrow().createdAt().toEpochMilli()).isEqualTo(created);
        assertThat(told).extracting(event -> ((EntryPut) event).created()).containsExactly(true, false);
    }

    @Test
    void aWriteTakesOneRoundTripAndOneThatRunsCodeOfItsCallerTwo() {
        TestServer.assumeNoLockIsNeeded();
        List<String> texts = new CopyOnWriteArrayList<>();
        TextGroup recorded = nodes.open(nodes.pool(3, recording(TestServer.dataSource(), texts)))
                .group("group");
        recorded.put("key", "a");
        Map<String, Runnable> writes = Map.of(
                "put", () -> recorded.put("key", "b"),
                "put a new one", () -> recorded.put("new", "b"),
                "putIfAbsent", () -> recorded.putIfAbsent("key", "b"),
                "replace", () -> recorded.replace("key", "no", "d"),
                "expire", () -> recorded.expire("key", Duration.ofHours(1)),
                "delete", () -> recorded.delete("new"),
                "take", () -> recorded.take("other"));
        writes.forEach((name, write) ->
                assertThat(ofStore(texts, write)).as(name).singleElement(STRING).contains("apply_one_1"));
        assertThat(ofStore(texts, () -> recorded.update("key", value -> value + "c")))
                .hasSize(2);
    }

    /** Has puts of these keys wait for the commit of another put, so that they share the next. */
    private List<Long> together(TextGroup putting, List<String> keys, String... changes) throws Exception {
        try (Statement statement = holder.createStatement()) {
            nodes.lockSlots(statement);
            CompletableFuture<Long> first = putting.async().put("warm", "once more");
            Awaitility.await().atMost(Nodes.PATIENCE).until(this::isAwaited);
            List<CompletableFuture<Long>> puts = new ArrayList<>();
            for (String key : keys) {
                puts.add(putting.async().put(key, "value " + puts.size()));
            }
            for (String change : changes) {
                statement.executeUpdate(change.replace("@entry", table("entry")));
            }
            holder.commit();
            long unused = first.get(20, TimeUnit.SECONDS);
            List<Long> versions = new ArrayList<>();
            for (CompletableFuture<Long> put : puts) {
                versions.add(put.get(20, TimeUnit.SECONDS));
            }
            return versions;
        }
    }

    /** The log keeps what was taken, in case the answer is lost. */
    @Test
    @Promise({10, 13})
    void manyTakesThatShareCommitsAreToldToOtherNodes() throws Exception {
        int takes = 300;
        String value = "x".repeat(4_000);
        Map<String, String> entries = new HashMap<>();
        for (int i = 0; i < takes; i++) {
            entries.put("key" + i, value);
        }
        group.putAll(entries, Expiry.never());
        try (Watch watch = nodes.open().watch("group");
                Statement statement = holder.createStatement()) {
            nodes.lockSlots(statement);
            CompletableFuture<Long> first = group.async().put("warm", "once more");
            Awaitility.await().atMost(Nodes.PATIENCE).until(this::isAwaited);
            Queue<Thread> takers = new ConcurrentLinkedQueue<>();
            List<CompletableFuture<Optional<String>>> taken = entries.keySet().stream()
                    .map(key -> CompletableFuture.supplyAsync(
                            () -> {
                                takers.add(Thread.currentThread());
                                return group.take(key);
                            },
                            task -> Threads.start("take", task::run)))
                    .toList();
            Awaitility.await()
                    .atMost(Nodes.PATIENCE)
                    .until(() -> takers.stream()
                                    .filter(thread -> thread.getState() == Thread.State.TIMED_WAITING)
                                    .count()
                            == takes);
            holder.commit();
            long unused = first.get(20, TimeUnit.SECONDS);
            for (CompletableFuture<Optional<String>> one : taken) {
                assertThat(one.get(20, TimeUnit.SECONDS)).contains(value);
            }
            for (int deleted = 0; deleted < takes; ) {
                WatchSignal signal = watch.poll(Nodes.PATIENCE).orElseThrow();
                assertThat(signal).isInstanceOf(WatchSignal.Change.class);
                deleted += ((WatchSignal.Change) signal).event() instanceof EntryDeleted ? 1 : 0;
            }
        }
    }

    static List<String> puts(List<StoreEvent> told) {
        return told.stream()
                .filter(EntryPut.class::isInstance)
                .map(EntryPut.class::cast)
                .map(put -> put.key() + (put.created() ? " created" : " replaced"))
                .toList();
    }

    /** It is decided again for its answer, and then it can no longer be refused. */
    @Test
    @Promise(19)
    void aQuotaThatIsSetDuringACommitDoesNotConcernIt() throws Exception {
        TextGroup tenants = store.scope("tenant").group("group");
        tenants.put("warm", "value");
        try (Statement statement = holder.createStatement()) {
            nodes.lockSlots(statement);
            CompletableFuture<Long> put = tenants.async().put("key", "value");
            Awaitility.await().atMost(Nodes.PATIENCE).until(this::isAwaited);
            Scope limited = store.scope("tenant", new Quota(1, 0, 0));
            holder.commit();
            assertThat(put.get(20, TimeUnit.SECONDS)).isPositive();
            assertThat(limited.group("group").keys()).contains("key");
        }
    }

    @Test
    @Promise({2, 9, 13})
    void overwritingPutsThatShareACommitAreToldAsWhatTheyWereOnEachNode() throws Exception {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        group.put("old", "a");
        long created = group.entry("old").orElseThrow().createdAt().toEpochMilli();
        Awaitility.await().until(() -> System.currentTimeMillis() > created + 20);
        List<String> expected =
                List.of("warm replaced", "new created", "old replaced", "newer created", "last created");
        try (Watch other = nodes.open().watch("group")) {
            store.onChange(told::add);
            List<Long> versions = together(group, List.of("new", "old", "newer"));
            assertThat(versions).isSorted().doesNotHaveDuplicates();
            group.put("last", "value");
            assertThat(puts(told)).isEqualTo(expected);
            List<StoreEvent> followed = new ArrayList<>();
            while (followed.size() < expected.size()) {
                if (other.poll(Nodes.PATIENCE).orElseThrow() instanceof WatchSignal.Change change) {
                    followed.add(change.event());
                }
            }
            assertThat(puts(followed)).isEqualTo(expected);
            assertThat(followed).extracting(StoreEvent::sequence).isSorted();
            assertThat(group.entry("old").orElseThrow().version()).isEqualTo(versions.get(1));
        }
        assertThat(group.entry("old").orElseThrow().createdAt().toEpochMilli()).isEqualTo(created);
        assertThat(group.getAll()).containsEntry("new", "value 0").containsEntry("newer", "value 2");
    }

    @Test
    @Promise({3, 13})
    void putsThatShareACommitTellOfARowThatHasExpiredMeanwhile() throws Exception {
        group.put("old", "a", Duration.ofHours(1));
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        store.onChange(told::add);
        List<Long> versions = together(
                group, List.of("new", "old"), "UPDATE @entry SET due_at = 1000, expires_at = 1000 WHERE key = 'old'");
        assertThat(versions).isSorted().doesNotHaveDuplicates();
        assertThat(puts(told)).containsExactly("warm replaced", "new created", "old created");
        assertThat(told).hasAtLeastOneElementOfType(EntryExpired.class);
        assertThat(group.get("old")).contains("value 1");
    }

    @Test
    @Promise({9, 13})
    void putsOfOneKeyThatShareACommitFollowEachOther() throws Exception {
        List<StoreEvent> told = new CopyOnWriteArrayList<>();
        store.onChange(told::add);
        List<Long> versions = together(group, List.of("key", "other", "key"));
        assertThat(versions).isSorted().doesNotHaveDuplicates();
        assertThat(puts(told)).containsExactly("warm replaced", "key created", "other created", "key replaced");
        assertThat(group.get("key")).contains("value 2");
    }

    @Test
    @Promise({9, 10})
    void aRowThatAnotherNodeHasChangedIsReadAgain() {
        Counters own = store.counters("group");
        Counters others = nodes.open().counters("group");
        for (int i = 0; i < 5; i++) {
            assertThat(own.increment("key")).isEqualTo(i + 1);
        }
        assertThat(others.increment("key")).isEqualTo(6);
        assertThat(own.increment("key")).isEqualTo(7);
        others.delete("key");
        assertThat(own.increment("key")).isEqualTo(1);
        assertThat(own.increment("key")).isEqualTo(2);
        assertThat(own.increment("key")).isEqualTo(3);
        assertThat(others.increment("key")).isEqualTo(4);
        assertThat(own.get("key")).contains(4L);
    }

    @Test
    @Promise({9, 10})
    void nothingIsRefusedByWhatIsOutOfDate() {
        TextGroup other = nodes.open().group("group");
        for (int i = 0; i < 4; i++) { // known to be missing in between
            assertThat(group.putIfAbsent("key", "own")).isPresent();
            assertThat(group.take("key")).contains("own");
        }
        assertThat(group.putIfAbsent("key", "own")).isPresent();
        assertThat(other.delete("key")).isTrue();
        assertThat(group.putIfAbsent("key", "again")).isPresent();
        assertThat(group.take("key")).contains("again");
        other.put("key", "other");
        assertThat(group.take("key")).contains("other");
        assertThat(group.take("key")).isEmpty();
    }

    /** Returns the texts that the thread of this test has sent. */
    static List<String> ofStore(List<String> texts, Runnable work) {
        texts.clear();
        work.run();
        return List.copyOf(texts);
    }

    /** Notes the text of each statement that this thread prepares: one for each round trip. */
    static DataSource recording(DataSource source, List<String> texts) {
        Thread here = Thread.currentThread();
        return proxy(
                DataSource.class,
                source,
                (method, args, result) -> result instanceof Connection connection
                        ? proxy(Connection.class, connection, (called, with, answer) -> {
                            if (called.getName().equals("prepareStatement") && Thread.currentThread() == here) {
                                texts.add((String) with[0]);
                            }
                            return answer;
                        })
                        : result);
    }

    private interface After {
        Object call(Method method, Object[] args, Object result);
    }

    private static <T> T proxy(Class<T> type, T target, After after) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            try {
                return after.call(method, args, method.invoke(target, args));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
