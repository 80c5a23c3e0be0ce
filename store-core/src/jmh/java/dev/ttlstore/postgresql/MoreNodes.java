package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;

/**
 * How much more three nodes do than one: each has a pool of its own and callers that put and get entries of many groups. Arguments:
 * "on" or "off" for whether commits wait for the disk, the callers of each node, and how many microseconds a round trip is delayed.
 */
public final class MoreNodes {

    private static final int NODES = 3;
    private static final int ROUNDS = 7;
    private static final int GROUPS = 100;
    private static final int KEYS = 100;
    private static final byte[] VALUE = new byte[100];
    private static final PrintStream OUT = System.out;

    private MoreNodes() {}

    /** Measures. */
    public static void main(String[] args) throws Exception {
        String fsync = args.length > 0 ? args[0] : "on";
        int callers = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        Duration eachWay = Duration.ofNanos(args.length > 2 ? Long.parseLong(args[2]) * 500 : 0);
        List<HikariDataSource> pools = new ArrayList<>();
        List<Store> stores = new ArrayList<>();
        try (BenchmarkServer server = new BenchmarkServer(fsync);
                Proxy proxy = new Proxy("127.0.0.1", server.server().port())) {
            proxy.delay(Proxy.Direction.TO_SERVER, eachWay);
            proxy.delay(Proxy.Direction.TO_CLIENT, eachWay);
            List<Callers.Call> calls = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                PGSimpleDataSource source = server.server().dataSource();
                if (!eachWay.isZero()) {
                    source.setPortNumbers(new int[] {proxy.port()});
                }
                HikariDataSource pool = BenchmarkServer.pool(source);
                pools.add(pool);
                Store store = BenchmarkServer.store(pool);
                stores.add(store);
                for (int j = 0; j < callers; j++) {
                    calls.add(() -> putOrGet(store));
                }
            }
            compare(calls.subList(0, callers), calls);
        } finally {
            stores.forEach(Store::close);
            pools.forEach(HikariDataSource::close);
        }
    }

    private static void putOrGet(Store store) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String group = "group " + random.nextInt(GROUPS);
        String key = "key " + random.nextInt(KEYS);
        if (random.nextBoolean()) {
            store.group(group, byte[].class).put(key, VALUE, Bench.TTL);
        } else {
            boolean unused = store.group(group, byte[].class).get(key).isPresent();
        }
    }

    private static void compare(List<Callers.Call> ofOne, List<Callers.Call> ofAll) throws InterruptedException {
        Callers.run(ofAll, Duration.ofSeconds(5)); // warms up
        double[] one = new double[ROUNDS];
        double[] all = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            one[i] = Callers.run(ofOne, Duration.ofSeconds(2)).perSecond();
            all[i] = Callers.run(ofAll, Duration.ofSeconds(2)).perSecond();
            ratios[i] = all[i] / one[i];
        }
        OUT.printf(
                "one node %,.0f calls per second, %d nodes %,.0f, ratio %.2f (%.2f to %.2f)%n",
                median(one), NODES, median(all), median(ratios), ratios[0], ratios[ROUNDS - 1]);
    }

    /** Returns the median, and leaves the numbers in order. */
    private static double median(double[] numbers) {
        Arrays.sort(numbers);
        return numbers[numbers.length / 2];
    }
}
