package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryPut;

/**
 * How late a node is that reads what another one writes: from the return of a put on one node to the call of a listener on the
 * other, and to its first {@code get} from the near cache that answers the new value. First with notifications, then with looks at
 * the log only. It also prints how many transactions the server runs for two nodes that have nothing to do. Argument: "on" or
 * "off" for whether commits wait for the disk.
 */
public final class Lateness {

    private static final int SINGLE = 300;
    private static final int WARM_UP = 30;
    private static final long CONTINUOUS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final PrintStream OUT = System.out;

    private Lateness() {}

    /** Measures. */
    public static void main(String[] args) throws Exception {
        String fsync = args.length > 0 ? args[0] : "on";
        for (boolean notified : new boolean[] {true, false}) {
            try (BenchmarkServer server = new BenchmarkServer(fsync);
                    HikariDataSource first =
                            BenchmarkServer.pool(server.server().dataSource());
                    HikariDataSource second =
                            BenchmarkServer.pool(server.server().dataSource());
                    Store writer = open(first, notified);
                    Store reader = open(second, notified)) {
                TimeUnit.SECONDS.sleep(8); // until the nodes know each other and rely on notifications
                String mode = notified ? "notified" : "looking";
                OUT.printf("%s: %.1f transactions per second for two idle nodes%n", mode, idle(server));
                print(mode, "event, single", single(writer, reader));
                print(mode, "get, single", staleness(writer.group("stale"), reader.group("stale")));
                print(mode, "event, continuous", continuous(writer, reader));
            }
        }
    }

    private static Store open(HikariDataSource pool, boolean notified) {
        return Store.builder()
                .engine(PostgreSql.on(pool).notifications(notified))
                .cacheSize(1_000_000)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .open();
    }

    private static double idle(BenchmarkServer server) throws InterruptedException {
        String query = "SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database";
        long before = server.number(query);
        TimeUnit.SECONDS.sleep(IDLE.toSeconds());
        return (server.number(query) - before) / (double) IDLE.toSeconds();
    }

    /** Longer than a node goes on looking after a notification. */
    private static void pause(SplittableRandom random) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(130 + random.nextInt(70));
    }

    /** Puts with pauses between them. */
    @SuppressWarnings("try") // the listener is only closed
    private static double[] single(Store writer, Store reader) throws Exception {
        Map<String, Long> heard = new ConcurrentHashMap<>();
        SplittableRandom random = new SplittableRandom(1);
        double[] late = new double[SINGLE];
        try (var unused = reader.onChange(event -> heard.put(((EntryPut) event).key(), System.nanoTime()))) {
            for (int i = -WARM_UP; i < SINGLE; i++) {
                long unusedToo = writer.group("events").put("single" + i, "value");
                long put = System.nanoTime();
                Long at = heard.get("single" + i);
                while (at == null) {
                    TimeUnit.MICROSECONDS.sleep(100);
                    at = heard.get("single" + i);
                }
                if (i >= 0) {
                    late[i] = Math.max(0, at - put);
                }
                pause(random);
            }
        }
        return late;
    }

    /** Reads on one node what was put on the other, again and again, until it gets it. */
    private static double[] staleness(TextGroup writer, TextGroup reader) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(2);
        double[] late = new double[SINGLE];
        for (int i = -WARM_UP; i < SINGLE; i++) {
            String value = "value" + i;
            boolean unused = reader.get("key").isPresent();
            long unusedToo = writer.put("key", value);
            long put = System.nanoTime();
            while (!reader.get("key").orElse("").equals(value)) {
                TimeUnit.MICROSECONDS.sleep(100); // leaves the processor to those who bring it
            }
            if (i >= 0) {
                late[i] = System.nanoTime() - put;
            }
            pause(random);
        }
        return late;
    }

    /** Puts one after the other, without a pause. */
    @SuppressWarnings("try") // the listener is only closed
    private static double[] continuous(Store writer, Store reader) throws Exception {
        Map<String, Long> heard = new ConcurrentHashMap<>();
        Map<String, Long> written = new HashMap<>();
        int count = 0;
        try (var unused = reader.onChange(event -> heard.put(((EntryPut) event).key(), System.nanoTime()))) {
            long end = System.nanoTime() + CONTINUOUS_NANOS;
            while (System.nanoTime() - end < 0) {
                String key = "continuous" + count++;
                long unusedToo = writer.group("events").put(key, "value");
                written.put(key, System.nanoTime());
            }
            while (heard.size() < count) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
        return written.entrySet().stream()
                .mapToDouble(put -> Math.max(0, heard.getOrDefault(put.getKey(), 0L) - put.getValue()))
                .toArray();
    }

    private static void print(String mode, String what, double[] nanos) {
        Arrays.sort(nanos);
        OUT.printf(
                "%s, %s: %d puts, in ms: median %.1f, 90 %% %.1f, 99 %% %.1f, longest %.1f%n",
                mode, what, nanos.length, at(nanos, 0.5), at(nanos, 0.9), at(nanos, 0.99), at(nanos, 1));
    }

    private static double at(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * share))] / 1e6;
    }
}
