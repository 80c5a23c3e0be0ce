package dev.ttlstore.sqlite.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

import dev.ttlstore.KeyRange;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.exception.QuotaExceededException;

/** Everything that a store can do, at random, on names that are limited in number. For one thread. */
final class SoakLoad {

    private static final int NAMES = 500;

    private final Store store;
    private final Random random;
    private final LongAdder operations;
    private final List<Runnable> kinds = List.of(
            this::put,
            this::put,
            this::putForAMoment,
            this::putForAMoment,
            this::read,
            this::read,
            this::walk,
            this::remove,
            this::update,
            this::load,
            this::count,
            this::transact,
            this::putAll,
            this::writeWithoutWaiting,
            this::writeToScope,
            this::renew,
            this::removeMany,
            this::watchForAMoment,
            this::listenForAMoment,
            this::purge);

    SoakLoad(Store store, long seed, LongAdder operations) {
        this.store = store;
        this.random = new Random(seed);
        this.operations = operations;
    }

    /** Does one thing. */
    void step() {
        kinds.get(random.nextInt(kinds.size())).run();
        operations.increment();
    }

    private TextGroup group() {
        return store.group("group " + random.nextInt(5));
    }

    private String key() {
        return "key " + random.nextInt(NAMES);
    }

    private String value() {
        return "x".repeat(random.nextInt(random.nextInt(50) == 0 ? 20_000 : 300));
    }

    private Duration moment() {
        return Duration.ofMillis(1L + random.nextInt(500));
    }

    private void put() {
        group().put(key(), value());
    }

    private void putForAMoment() {
        group().put(key(), value(), moment());
    }

    private void read() {
        for (int i = 0; i < 10; i++) {
            group().get(key());
        }
        group().getAll(List.of(key(), key()));
    }

    /** Streams are left half-read. */
    private void walk() {
        store.groups().limit(1).forEach(group -> {});
        group().entries(KeyRange.from(key())).limit(20).forEach(entry -> {});
        group().page(key(), 50);
    }

    private void remove() {
        group().delete(key());
        group().take(key());
    }

    private void update() {
        group().update(key(), value -> value());
        group().replace(key(), "what is not there", "value");
    }

    private void load() {
        group().getOrPut(key(), moment(), this::value);
    }

    private void count() {
        store.counters("counts").increment(key(), 1, moment());
    }

    private void transact() {
        try {
            store.transact(tx -> {
                tx.group("left").put(key(), value());
                tx.group("right").take(key());
                if (random.nextInt(4) == 0) {
                    throw new IllegalStateException("Undone on purpose");
                }
                return tx.group("left").page(null, 10);
            });
        } catch (IllegalStateException e) {
            if (!"Undone on purpose".equals(e.getMessage())) {
                throw e;
            }
        }
    }

    private void putAll() {
        group().putAll(Map.of("all " + random.nextInt(100), value(), key(), value()), moment());
    }

    private void writeWithoutWaiting() {
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            writes.add(group().async().put(key(), value(), moment()));
        }
        CompletableFuture.allOf(writes.toArray(new CompletableFuture<?>[0])).join();
    }

    private void writeToScope() {
        Scope scope = store.scope("scope-" + random.nextInt(50), new Quota(20, 5, 0));
        try {
            scope.group("group " + random.nextInt(6)).put(key(), value(), moment());
        } catch (QuotaExceededException expected) {
            scope.deletePrefix("");
        }
        scope.usage();
    }

    private void renew() {
        group().expire(key(), moment());
        group().persist(key());
    }

    private void removeMany() {
        if (random.nextInt(50) == 0) {
            group().sweep(Duration.ofSeconds(5));
            group().expireAllNow();
        }
    }

    private void watchForAMoment() {
        try (Watch watch = store.watch(WatchOptions.defaults().withCapacity(16).ofGroup(group().name()))) {
            put();
            watch.poll();
        }
    }

    private void listenForAMoment() {
        Subscription told = store.onChange(event -> operations.add(0));
        put();
        told.close();
    }

    private void purge() {
        store.purgeExpired();
    }
}
