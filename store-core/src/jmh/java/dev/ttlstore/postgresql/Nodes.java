package dev.ttlstore.postgresql;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Group;
import dev.ttlstore.Store;

/**
 * Eight nodes with one caller each that overwrite random entries of one group, over a network that delays each round trip by a
 * millisecond, in turns with plain upserts. Prints puts per second and the ratio. Argument: "on" or "off" for whether commits wait
 * for the disk.
 */
public final class Nodes {

    private static final int NODES = 8;
    private static final int KEYS = 1_000;
    private static final int WARM_UP = 10;
    private static final int ROUNDS = 7;
    private static final Duration EACH_WAY = Duration.ofNanos(500_000);
    private static final byte[] VALUE = new byte[100];
    private static final PrintStream OUT = System.out;

    private Nodes() {}

    /** What one node does again and again. */
    @FunctionalInterface
    private interface Put {
        void run(String key) throws SQLException;
    }

    /** Measures. */
    public static void main(String[] args) throws Exception {
        String fsync = args.length > 0 ? args[0] : "on";
        List<HikariDataSource> pools = new ArrayList<>();
        List<Store> stores = new ArrayList<>();
        try (BenchmarkServer server = new BenchmarkServer(fsync);
                Proxy proxy = proxy(server)) {
            server.execute(ByHand.TABLES);
            List<Put> own = new ArrayList<>();
            List<Put> byHand = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                HikariDataSource pool = BenchmarkServer.pool(through(server, proxy));
                pools.add(pool);
                Store store = BenchmarkServer.store(pool);
                stores.add(store);
                Group<byte[]> group = store.group("group", byte[].class);
                own.add(key -> group.put(key, VALUE, Bench.TTL));
                ByHand hand = new ByHand(pool);
                byHand.add(key -> hand.put("group", key, VALUE, Bench.TTL_MILLIS));
            }
            compare(fsync, own, byHand);
        } finally {
            stores.forEach(Store::close);
            pools.forEach(HikariDataSource::close);
        }
    }

    private static void compare(String fsync, List<Put> own, List<Put> byHand) throws InterruptedException {
        double[] first = new double[ROUNDS];
        double[] second = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int i = 0; i < WARM_UP; i++) { // until both are compiled
            turn(own);
            turn(byHand);
        }
        for (int i = 0; i < ROUNDS; i++) {
            first[i] = turn(own);
            second[i] = turn(byHand);
            ratios[i] = first[i] / second[i];
        }
        OUT.printf(
                "fsync %s, %d nodes, 1 ms: %,.0f puts per second, by hand %,.0f, ratio %.2f%n",
                fsync, NODES, median(first), median(second), median(ratios));
    }

    private static Proxy proxy(BenchmarkServer server) throws IOException {
        Proxy proxy = new Proxy("127.0.0.1", server.server().port());
        proxy.delay(Proxy.Direction.TO_SERVER, EACH_WAY);
        proxy.delay(Proxy.Direction.TO_CLIENT, EACH_WAY);
        return proxy;
    }

    private static PGSimpleDataSource through(BenchmarkServer server, Proxy proxy) {
        PGSimpleDataSource source = server.server().dataSource();
        source.setPortNumbers(new int[] {proxy.port()});
        return source;
    }

    private static double median(double[] numbers) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double turn(List<Put> puts) throws InterruptedException {
        return Callers.run(
                        puts.stream()
                                .<Callers.Call>map(put -> () -> put.run(
                                        "key " + ThreadLocalRandom.current().nextInt(KEYS)))
                                .toList(),
                        Duration.ofSeconds(1))
                .perSecond();
    }
}
