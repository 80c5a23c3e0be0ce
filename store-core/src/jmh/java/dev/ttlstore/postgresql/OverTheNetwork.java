package dev.ttlstore.postgresql;

import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.benchmark.turns.Callers;
import dev.ttlstore.benchmark.turns.Rounds;
import dev.ttlstore.benchmark.turns.TurnTaking;

/**
 * Writes of one or several nodes beside one statement by hand that does the same, in turns of half a second, over a network that delays each
 * message. Prints calls per second and the ratio. Arguments, each a list with commas: "on" or "off" for whether commits wait for the disk; the
 * microseconds that a message takes; how many nodes; how many callers of each; the operations, as put, putTake, putIfAbsent, increment,
 * update; in how many groups the entries are; and then, one for all, how many rounds.
 */
public final class OverTheNetwork {

    private static final int KEYS = 2_000;
    private static final int WARM_UP = 4;
    private static final Duration TURN = Duration.ofMillis(500);
    private static final byte[] VALUE = new byte[100];
    private static final PrintStream OUT = System.out;
    private static final AtomicLong FRESH = new AtomicLong();

    private final List<Fleet.Node> nodes;
    private final int groups;

    private OverTheNetwork(List<Fleet.Node> nodes, int groups) {
        this.nodes = nodes;
        this.groups = groups;
    }

    /** Measures. */
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[6]);
        for (String fsync : args[0].split(",")) {
            try (BenchmarkServer server = new BenchmarkServer(fsync)) {
                server.execute(ByHand.TABLES);
                for (String delay : args[1].split(",")) {
                    for (String size : args[2].split(",")) {
                        try (Fleet fleet = new Fleet(
                                server, Integer.parseInt(size), Duration.ofNanos(1_000 * Long.parseLong(delay)))) {
                            for (String groups : args[5].split(",")) {
                                OverTheNetwork network = new OverTheNetwork(fleet.nodes(), Integer.parseInt(groups));
                                for (String callers : args[3].split(",")) {
                                    for (String operation : args[4].split(",")) {
                                        OUT.printf(
                                                "fsync %s, %s µs, %s nodes, %s groups, ", fsync, delay, size, groups);
                                        network.compare(operation, Integer.parseInt(callers), rounds);
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private void compare(String operation, int callers, int rounds) throws InterruptedException {
        List<Callers.Call> own = new ArrayList<>();
        List<Callers.Call> byHand = new ArrayList<>();
        for (Fleet.Node node : nodes) {
            Callers.Call call = own(operation, node);
            ByHand hand = new ByHand(node.pool());
            for (int i = 0; i < callers; i++) {
                own.add(call);
                byHand.add(() -> byHand(operation, hand));
            }
        }
        Rounds both = new TurnTaking(TURN, WARM_UP, rounds).of(List.of(own, byHand));
        OUT.printf(
                "%d callers, %s: %.0f per second, by hand %.0f, ratio %s%n",
                callers, operation, both.median(0), both.median(1), both.ratio(0, 1));
    }

    private Callers.Call own(String operation, Fleet.Node node) {
        List<Group<byte[]>> all = new ArrayList<>();
        List<Counters> counters = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            all.add(node.store().group(group(i), byte[].class));
            counters.add(node.store().counters("n-" + group(i)));
        }
        return switch (operation) {
            case "put" -> () -> all.get(random(groups)).put(key(), VALUE, Bench.TTL);
            case "putTake" ->
                () -> {
                    Group<byte[]> group = all.get(random(groups));
                    String key = fresh();
                    long unused = group.put(key, VALUE, Bench.TTL);
                    if (group.take(key).isEmpty()) {
                        throw new IllegalStateException("What was put is gone");
                    }
                };
            case "putIfAbsent" -> () -> all.get(random(groups)).putIfAbsent(fresh(), VALUE, Bench.TTL);
            case "increment" -> () -> counters.get(random(groups)).increment(key(), 1, Bench.TTL);
            case "update" -> () -> all.get(random(groups)).update(key(), value -> VALUE);
            default -> throw new IllegalArgumentException("Unknown operation " + operation);
        };
    }

    private Object byHand(String operation, ByHand hand) throws SQLException {
        String group = group(random(groups));
        return switch (operation) {
            case "put" -> hand.put(group, key(), VALUE, Bench.TTL_MILLIS);
            case "putTake" -> {
                String key = fresh();
                long unused = hand.put(group, key, VALUE, Bench.TTL_MILLIS);
                yield hand.take(group, key) == null;
            }
            case "putIfAbsent" -> hand.putIfAbsent(group, fresh(), VALUE, Bench.TTL_MILLIS);
            case "increment" -> hand.increment(group, key(), Bench.TTL_MILLIS);
            case "update" -> {
                String key = key();
                yield hand.get(group, key) == null ? 0 : hand.put(group, key, VALUE, Bench.TTL_MILLIS);
            }
            default -> throw new IllegalArgumentException("Unknown operation " + operation);
        };
    }

    private static String group(int number) {
        return "group" + number;
    }

    private static String key() {
        return "key " + random(KEYS);
    }

    private static String fresh() {
        return "fresh " + FRESH.incrementAndGet();
    }

    private static int random(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }
}
