package dev.ttlstore.postgresql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * A statement costs what it answers, not what the store holds: none reads the whole of a table that grows. The server tells the plan
 * of each statement that a node sends while it does all that a store can do.
 */
@Tag("postgresql")
@Promise(6)
class StatementPlanTests {

    private static final String GROWING = "(?:entry|log|retained|delivery|usage)";

    private static final Pattern WHOLE_TABLE = Pattern.compile("Seq Scan on " + GROWING + "\\b");

    /** A scan of an index, up to the next node of the plan. */
    private static final Pattern INDEX_SCAN = Pattern.compile("(?:Index (?:Only )?Scan [^\\n]* on " + GROWING
            + "\\b|Bitmap Index Scan on)[^\\n]*\\n((?:(?!->)[^\\n])*\\n?)*");

    /** Parts of the statements that may. */
    private static final List<String> ALLOWED = List.of(
            // They count all rows, which PostgreSQL does not know.
            "SELECT (SELECT count(*) FROM ",
            // It stops at the first row.
            "SELECT EXISTS (SELECT 1 FROM ",
            // It reads as many rows as it has keys. For many keys of a small table, one walk over it is shorter than as
            // many steps.
            "int[], $2::text[], $3::text[]) k (slot, grp, key)");

    /** A write takes another way when the node has met its row before. */
    private static final int ROUNDS = 2;

    private final String target = TestServer.freshSchema();
    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    @BeforeEach
    void fill() throws SQLException {
        assumeFalse(TestServer.isGiven(), "only a superuser may load what tells the plans");
        open(PostgreSql.on(nodes.pool(2, TestServer.dataSource()))).close();
        try (Connection connection = TestServer.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = \"" + nodes.schema() + '"');
            Slots slots = new Slots(32);
            long now = System.currentTimeMillis();
            for (int i = 0; i < 11; i++) {
                String group = "group" + i;
                statement.addBatch("""
                        INSERT INTO entry SELECT %1$d, '%2$s', 'key' || i, i, %3$d, %3$d, t, t, 'value'
                          FROM (SELECT i, CASE i %% 4 WHEN 0 THEN %3$d + 3600000 + i WHEN 1 THEN %3$d - i END AS t
                                  FROM generate_series(1, 1500) i) r
                        """.formatted(slots.of(group), group, now));
                statement.addBatch(
                        "INSERT INTO retained SELECT %d, '%s', 'key' || i, i, %3$d, %3$d, %3$d - 60000 + i, 'value'"
                                        .formatted(slots.of(group), group, now)
                                + " FROM generate_series(1, 500) i");
                statement.addBatch("""
                        INSERT INTO delivery SELECT %1$d, 'other' || i, i + %4$d * 1000, '%2$s', 'key' || i, i, %3$d, 1,
                               CASE WHEN i %% 2 = 0 THEN %3$d + 3600000 END, 'failed', 'value'
                          FROM generate_series(1, 500) i
                        """.formatted(slots.of(group), group, now, i));
            }
            statement.addBatch("INSERT INTO usage SELECT s, 'name' || i, g, 1, 1, 1"
                    + " FROM generate_series(0, 31) s, generate_series(1, 100) i, unnest(ARRAY['', 'group']) g");
            statement.addBatch("INSERT INTO log SELECT s, i, 1, 0, gen_random_uuid(), NULL, false, NULL"
                    + " FROM generate_series(0, 31) s, generate_series(10, 600) i");
            statement.executeBatch();
            statement.execute("ANALYZE entry, log, retained, delivery, usage, lease, slot, subscriber, layout");
        }
    }

    @AfterEach
    void close() throws IOException {
        nodes.close();
        TestServer.drop(target);
    }

    private Store open(PostgreSql engine) {
        Consumer<StoreBuilder> settings =
                builder -> builder.expiry(ExpirySettings.defaults().withMaxAttempts(1))
                        .group("group1", GroupSettings.defaults().withRetention(Duration.ofMinutes(1)))
                        .group("group2", GroupSettings.defaults().withAgeIndex(true));
        return nodes.open(engine, settings);
    }

    @Test
    void noStatementReadsAWholeTableThatGrows() throws Exception {
        requireIndexes("force_generic_plan");
    }

    @Test
    @Tag("variant")
    void noStatementReadsAWholeTableThatGrowsIfItIsPlannedEachTime() throws Exception {
        requireIndexes("force_custom_plan");
    }

    private void requireIndexes(String mode) throws Exception {
        PlanTap tap = new PlanTap(mode);
        doEverything(tap);
        Map<String, String> wrong = new TreeMap<>();
        tap.plans().forEach((text, plans) -> {
            if (ALLOWED.stream().noneMatch(text::contains)) {
                plans.stream().filter(StatementPlanTests::readsAWholeTable).forEach(plan -> wrong.put(text, plan));
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(tap.plans()).hasSizeGreaterThan(100);
    }

    private static boolean readsAWholeTable(String plan) {
        return WHOLE_TABLE.matcher(plan).find()
                || INDEX_SCAN.matcher(plan).results().anyMatch(scan -> !scan.group()
                        .contains("Index Cond:"));
    }

    private void doEverything(PlanTap tap) throws Exception {
        PostgreSql engine = PostgreSql.on(nodes.pool(6, tap.source()));
        Store store = open(engine);
        Store other = open(engine);
        AtomicInteger handled = new AtomicInteger();
        Subscription handler = store.onExpired("handler", "group3", entry -> {
            if (handled.getAndIncrement() % 2 == 0) {
                throw new IllegalStateException("fails");
            }
        });
        try (Watch watch = store.watch()) {
            write(store.group("group0"));
            conditions(store.group("group4"));
            many(store);
            read(store, store.group("group1"));
            consume(store.group("group2").createdBefore(Instant.now()));
            Scope scope = store.scope("tenant", new Quota(1_000, 0, 0));
            write(scope.group("group"));
            many(scope);
            read(scope, scope.group("group"));
            assertThat(scope.usage().keys()).isPositive();
            store.transactWithoutResult(tx -> {
                write(tx.group("group5"));
                many(tx);
                read(tx, tx.group("group1"));
                tx.scope("tenant").group("group").put("in", "transaction");
            });
            together(store.group("group6"));
            assertThat(store.purgeExpired()).isPositive();
            deadLetters(store, handled);
            other.group("group0").put("of another", "node");
            assertThat(watch.poll(Nodes.PATIENCE)).isPresent();
            assertThat(store.stats().entries()).isPositive();
            assertThat(store.expirySubscribers()).hasSize(1);
            store.check();
            assertThat(store.verify().rows()).isPositive();
        }
        handler.close();
        assertThat(store.removeExpirySubscriber("handler")).isTrue();
        other.close();
        store.close();
        StoreCopy.from(engine.schema(nodes.schema()))
                .to(PostgreSql.on(nodes.pool(3, tap.source())).schema(target))
                .run();
    }

    private static void write(TextGroup group) {
        for (int i = 0; i < ROUNDS; i++) {
            group.put("put", "value");
            group.put("key0", "again", Duration.ofMinutes(1));
            group.getAndPut("key3", "value");
            group.update("key3", value -> value + "1");
            group.expire("key0", Duration.ofHours(1));
            group.getAndExpire("key0", Duration.ofHours(2));
            group.expireNow("key0");
            group.putIfAbsent("absent", "value");
            group.putIfAbsent("put", "value");
            group.take("put");
            group.delete("absent");
            group.putAll(Map.of("a", "1", "b", "2"));
            group.putAll(Map.of("key1", "1", "key2", "2"), Duration.ofMinutes(1));
            group.expireAll(List.of("a", "b"), Expiry.after(Duration.ofHours(1)));
            group.deleteAll(List.of("a", "b"));
        }
        group.sweep(Duration.ofHours(1));
        group.expireAll(KeyRange.prefix("key1"), Expiry.after(Duration.ofHours(1)));
        group.clear(KeyRange.prefix("key9"));
    }

    private static void conditions(TextGroup group) {
        for (int i = 0; i < ROUNDS; i++) {
            long version = group.put("put", "value");
            group.replace("put", "value", "other");
            group.replaceVersion("put", version, "none");
            group.putIfPresent("put", "value");
            group.delete("put", "other");
            group.deleteVersion("put", version);
            group.getOrPut("got", () -> "value");
        }
    }

    private static void many(Keyspace keyspace) {
        Counters counters = keyspace.counters("counters");
        for (int i = 0; i < ROUNDS; i++) {
            counters.increment("count");
            keyspace.batch()
                    .put(keyspace.group("one"), "key", "value", Expiry.never())
                    .put(keyspace.group("two"), "key", "value", Expiry.never())
                    .delete(keyspace.group("three"), "key")
                    .write();
        }
        keyspace.deleteGroup("group9");
        keyspace.deletePrefix("group10");
        keyspace.expirePrefix("group8", Expiry.after(Duration.ofHours(1)));
    }

    private static void read(Keyspace keyspace, TextGroup group) {
        Instant now = Instant.now();
        for (int i = 0; i < ROUNDS; i++) {
            group.get("key3");
            group.entry("key3");
            group.getAll(List.of("key3", "key4"));
            group.getAll();
            group.page(null, 10);
            group.count();
            group.count(KeyRange.prefix("key1"));
            consume(group.keys(KeyRange.between("key1", "key2")));
            consume(keyspace.groups());
            consume(keyspace.groups("group1"));
            keyspace.count("group1");
            consume(keyspace.expiring(now.minusSeconds(60), now.plusSeconds(6_000)));
            consume(keyspace.expired(now.minusSeconds(60), now.plusSeconds(6_000)));
        }
    }

    private static void consume(Stream<?> stream) {
        try (stream) {
            assertThat(stream.limit(100).count()).isNotNegative();
        }
    }

    /** Puts that share commits. */
    private static void together(TextGroup group) {
        for (int i = 0; i < ROUNDS; i++) {
            IntStream.range(0, 20)
                    .mapToObj(key -> (CompletableFuture<?>) group.async().put("key" + key, "value"))
                    .toList()
                    .forEach(CompletableFuture::join);
        }
    }

    private static void deadLetters(Store store, AtomicInteger handled) {
        store.group("group3").put("expires", "value", Duration.ofMillis(1));
        store.group("group3").put("expires too", "value", Duration.ofMillis(1));
        Awaitility.await().atMost(Nodes.PATIENCE).until(() -> store.purgeExpired() >= 0 && handled.get() > 1);
        DeadLetters dead = store.deadLetters("handler");
        assertThat(dead.count()).isPositive();
        consume(dead.stream());
        dead.retry(dead.stream().findFirst().orElseThrow().id());
        dead.discard(dead.stream().findFirst().orElseThrow().id());
        dead.retryAll();
        dead.discardAll();
    }
}
