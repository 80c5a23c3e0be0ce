package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.benchmark.turns.Callers;

/**
 * Calls per second on a server that is given by {@code -Dttl-store.test.postgresql.url} (and {@code ….user} and
 * {@code ….password}), such as a coordinator with Citus or a pooler; or on one of its own. Argument: the seconds for each figure.
 */
public final class Rates {

    private static final PrintStream OUT = System.out;
    private static final Duration TTL = Duration.ofHours(1);
    private static final int GROUPS = 100;
    private static final int KEYS = 50;
    private static final int BATCH = 100;

    private final Store store;
    private final Duration time;
    private final byte[] value = new byte[100];

    private Rates(Store store, Duration time) {
        this.store = store;
        this.time = time;
    }

    /** Measures. */
    public static void main(String[] args) throws InterruptedException {
        String schema = TestServer.freshSchema();
        long seconds = args.length > 0 ? Long.parseLong(args[0]) : 5;
        try (HikariDataSource pool = TestServer.pool("rates", 10);
                Store store = Store.builder()
                        .engine(PostgreSql.on(pool).schema(schema))
                        .purgeInterval(Duration.ZERO)
                        .expiryOnTime(false)
                        .open()) {
            new Rates(store, Duration.ofSeconds(seconds)).all();
        }
    }

    private void all() throws InterruptedException {
        for (int i = 0; i < GROUPS; i++) {
            group(i).putAll(batch(KEYS), TTL);
        }
        OUT.println(store.stats().engine() + (TestServer.isDistributed() ? ", distributed" : ""));
        measure("get", 1, () -> group().get(key()));
        measure("get, 8 threads", 8, () -> group().get(key()));
        measure("put", 1, () -> group().put(key(), value, TTL));
        measure("put, 32 threads", 32, () -> group().put(key(), value, TTL));
        measure("putAll, 100 entries of a group", 1, () -> {
            Group<byte[]> group = group();
            group.putAll(batch(BATCH), TTL);
        });
        measure(
                "transaction: a put in each of 4 groups",
                1,
                () -> store.transact(tx -> {
                    for (int i = 0; i < 4; i++) {
                        long unused =
                                tx.group(name(random(GROUPS)), byte[].class).put(key(), value, TTL);
                    }
                    return true;
                }));
        measure("count of all groups", 1, store::count);
    }

    private void measure(String what, int threads, Callers.Call call) throws InterruptedException {
        List<Callers.Call> calls = Collections.nCopies(threads, call);
        Callers.run(calls, time.dividedBy(4)); // warms up
        OUT.printf("%-40s %,9.0f per second%n", what, Callers.run(calls, time).perSecond());
    }

    private Map<String, byte[]> batch(int size) {
        Map<String, byte[]> values = new HashMap<>();
        for (int i = 0; i < size; i++) {
            values.put("key" + i, value);
        }
        return values;
    }

    private Group<byte[]> group() {
        return group(random(GROUPS));
    }

    private Group<byte[]> group(int number) {
        return store.group(name(number), byte[].class);
    }

    private static String name(int number) {
        return "group" + number;
    }

    private static String key() {
        return "key" + random(KEYS);
    }

    private static int random(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }
}
