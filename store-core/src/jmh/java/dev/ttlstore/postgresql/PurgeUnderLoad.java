package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.benchmark.turns.Callers;

/**
 * What a purge of many entries by two nodes does to the callers of a third one: their calls' times before it and during it. Half of
 * the calls are gets and half are puts, with pauses. Arguments: "on" or "off" for whether commits wait for the disk, and how many
 * entries expire.
 */
public final class PurgeUnderLoad {

    private static final int CALLERS = 4;
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final int GROUPS = 100;
    private static final int BATCH = 1_000;
    private static final byte[] VALUE = new byte[100];
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final PrintStream OUT = System.out;

    private PurgeUnderLoad() {}

    /** Measures. */
    public static void main(String[] args) throws InterruptedException {
        String fsync = args.length > 0 ? args[0] : "on";
        int entries = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        try (BenchmarkServer server = new BenchmarkServer(fsync);
                HikariDataSource one = BenchmarkServer.pool(server.server().dataSource());
                HikariDataSource two = BenchmarkServer.pool(server.server().dataSource());
                Store store = server.store();
                Store first = BenchmarkServer.store(one);
                Store second = BenchmarkServer.store(two)) {
            fill(store, entries);
            server.admin("VACUUM ANALYZE", "CHECKPOINT");
            TimeUnit.NANOSECONDS.sleep(SHORT.toNanos());
            try (Callers.Running warm = callers(store)) {
                TimeUnit.SECONDS.sleep(5);
                Callers.Result unused = warm.stop();
            }
            try (Callers.Running before = callers(store)) {
                TimeUnit.SECONDS.sleep(20);
                print("before", before.stop());
            }
            long start = System.nanoTime();
            try (Callers.Running during = callers(store)) {
                CompletableFuture<Long> other = CompletableFuture.supplyAsync(first::purgeExpired);
                long purged = second.purgeExpired() + other.join();
                print("during", during.stop());
                OUT.printf("%,d entries purged in %.1f s%n", purged, (System.nanoTime() - start) / 1e9);
            }
        }
    }

    private static void fill(Store store, int entries) {
        for (int from = 0; from < entries; from += BATCH) {
            Map<String, byte[]> values = new HashMap<>();
            for (int i = from; i < Math.min(from + BATCH, entries); i++) {
                values.put("expired " + i, VALUE);
            }
            group(store, from / BATCH % GROUPS).putAll(values, SHORT);
        }
    }

    private static Callers.Running callers(Store store) {
        List<Callers.Call> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            calls.add(() -> {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                Group<byte[]> group = group(store, random.nextInt(GROUPS));
                String key = "live " + random.nextInt(BATCH);
                if (random.nextBoolean()) {
                    group.put(key, VALUE, Bench.TTL);
                } else {
                    boolean unused = group.get(key).isPresent();
                }
            });
        }
        return new Callers.Running(calls, PAUSE);
    }

    private static Group<byte[]> group(Store store, int number) {
        return store.group("group " + number, byte[].class);
    }

    private static void print(String when, Callers.Result result) {
        OUT.printf(
                "%s: %,.0f calls per second, median %.2f ms, 90 %% %.2f, 99 %% %.2f, longest %.1f%n",
                when,
                result.perSecond(),
                result.millis(0.5),
                result.millis(0.9),
                result.millis(0.99),
                result.millis(1));
    }
}
