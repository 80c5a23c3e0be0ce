package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import dev.ttlstore.Store;
import dev.ttlstore.benchmark.turns.Callers;
import dev.ttlstore.benchmark.turns.Rounds;
import dev.ttlstore.benchmark.turns.TurnTaking;

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
        try (BenchmarkServer server = new BenchmarkServer(fsync);
                Fleet fleet = new Fleet(server, NODES, eachWay)) {
            List<Callers.Call> calls = fleet.nodes().stream()
                    .flatMap(node -> Collections.<Callers.Call>nCopies(callers, () -> putOrGet(node.store())).stream())
                    .toList();
            compare(calls.subList(0, callers), calls);
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
        Rounds rounds = new TurnTaking(Duration.ofSeconds(2), 0, ROUNDS).of(List.of(ofOne, ofAll));
        OUT.printf(
                "one node %,.0f calls per second, %d nodes %,.0f, ratio %s%n",
                rounds.median(0), NODES, rounds.median(1), rounds.ratio(1, 0));
    }
}
