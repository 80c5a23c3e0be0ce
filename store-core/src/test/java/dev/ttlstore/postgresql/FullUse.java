package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;

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
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.expiry.DeadLetters;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A store and its neighbours that do all that a store can do, so that a node sends each of its statements. */
final class FullUse {

    /** A write takes another way when the node has met its row before. */
    private static final int ROUNDS = 2;

    /** How many entries expire for a handler, which fails for each second one. */
    private static final int EXPIRING = 8;

    private final Nodes nodes;
    private final DataSource source;

    /**
     * Prepares it.
     *
     * @param nodes opens the stores
     * @param source hands out their connections
     */
    FullUse(Nodes nodes, DataSource source) {
        this.nodes = nodes;
        this.source = source;
    }

    /** Opens a store with the settings of some groups. */
    static Store open(Nodes nodes, PostgreSql engine) {
        Consumer<StoreBuilder> settings =
                builder -> builder.expiry(ExpirySettings.defaults().withMaxAttempts(1))
                        .group("group1", GroupSettings.defaults().withRetention(Duration.ofMinutes(1)))
                        .group("group2", GroupSettings.defaults().withAgeIndex(true));
        return nodes.open(engine, settings);
    }

    /**
     * Does everything, and copies the store at last.
     *
     * @param target the schema for the copy
     */
    void copyTo(String target) throws Exception {
        DataSource pool = nodes.pool(6, source);
        PostgreSql engine = PostgreSql.on(pool);
        PlainTransactions transactions = new PlainTransactions(pool);
        Store store = open(nodes, engine);
        Store other = open(nodes, engine);
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
            join(open(nodes, engine.joining(transactions)), transactions);
            assertThat(store.purgeExpired()).isPositive();
            deadLetters(store);
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
                .to(PostgreSql.on(nodes.pool(3, source)).schema(target))
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

    /** What the store does in transactions of an application. */
    private static void join(Store store, PlainTransactions transactions) throws Exception {
        store.group("group7").put("expired", "value");
        boolean unused = store.group("group7").expireNow("expired");
        transactions.run(transaction -> {
            write(store.group("group7"));
            many(store);
            read(store, store.group("group7"));
            transaction.beforeCommit();
        });
        transactions.run(
                Connection.TRANSACTION_READ_COMMITTED, true, transaction -> read(store, store.group("group7")));
        store.close();
    }

    private static void deadLetters(Store store) {
        for (int i = 0; i < EXPIRING; i++) {
            store.group("group3").put("expires" + i, "value", Duration.ofMillis(1));
        }
        DeadLetters dead = store.deadLetters("handler");
        Awaitility.await()
                .atMost(Nodes.PATIENCE)
                .until(() -> store.purgeExpired() >= 0 && dead.count() >= EXPIRING / 2);
        consume(dead.stream());
        dead.retry(dead.stream().findFirst().orElseThrow().id());
        dead.discard(dead.stream().findFirst().orElseThrow().id());
        dead.retryAll();
        dead.discardAll();
    }
}
