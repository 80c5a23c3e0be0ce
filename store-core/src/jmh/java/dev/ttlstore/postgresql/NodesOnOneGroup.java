package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import dev.ttlstore.Group;
import dev.ttlstore.benchmark.turns.Callers;
import dev.ttlstore.benchmark.turns.Rounds;
import dev.ttlstore.benchmark.turns.TurnTaking;

/**
 * Eight nodes with one caller each that overwrite random entries of one group, over a network that delays each round trip by a
 * millisecond, in turns with plain upserts. Prints puts per second and the ratio. Argument: "on" or "off" for whether commits wait
 * for the disk.
 */
public final class NodesOnOneGroup {

    private static final int NODES = 8;
    private static final int KEYS = 1_000;
    private static final int WARM_UP = 10;
    private static final int ROUNDS = 7;
    private static final Duration EACH_WAY = Duration.ofNanos(500_000);
    private static final byte[] VALUE = new byte[100];
    private static final PrintStream OUT = System.out;

    private NodesOnOneGroup() {}

    /** Measures. */
    public static void main(String[] args) throws Exception {
        String fsync = args.length > 0 ? args[0] : "on";
        try (BenchmarkServer server = new BenchmarkServer(fsync);
                Fleet fleet = new Fleet(server, NODES, EACH_WAY)) {
            server.execute(ByHand.TABLES);
            List<Callers.Call> own = new ArrayList<>();
            List<Callers.Call> byHand = new ArrayList<>();
            for (Fleet.Node node : fleet.nodes()) {
                Group<byte[]> group = node.store().group("group", byte[].class);
                own.add(() -> group.put(key(), VALUE, Bench.TTL));
                ByHand hand = new ByHand(node.pool());
                byHand.add(() -> hand.put("group", key(), VALUE, Bench.TTL_MILLIS));
            }
            compare(fsync, own, byHand);
        }
    }

    private static String key() {
        return "key " + ThreadLocalRandom.current().nextInt(KEYS);
    }

    private static void compare(String fsync, List<Callers.Call> own, List<Callers.Call> byHand)
            throws InterruptedException {
        Rounds rounds = new TurnTaking(Duration.ofSeconds(1), WARM_UP, ROUNDS).of(List.of(own, byHand));
        OUT.printf(
                "fsync %s, %d nodes, 1 ms: %,.0f puts per second, by hand %,.0f, ratio %s%n",
                fsync, NODES, rounds.median(0), rounds.median(1), rounds.ratio(0, 1));
    }
}
