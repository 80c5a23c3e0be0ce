package dev.ttlstore.spring.benchmark;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.ttlstore.benchmark.turns.Rounds;
import dev.ttlstore.benchmark.turns.TurnTaking;

/**
 * Measures the adapters on PostgreSQL beside the JDBC implementations of the same interfaces, in turns, over networks of several speeds. Prints the
 * ratios of calls per second. Arguments: "on" or "off" for whether commits wait for the disk, the microseconds that a message takes and the
 * numbers of callers, each a list with commas, the number of rounds, and a pattern for the names of the interfaces, such as
 * "tokens|limits".
 */
public final class BesideJdbc {

    private static final Duration TURN = Duration.ofMillis(200);

    /** Four seconds for each side: the store has more code that the JVM must compile than its peers. */
    private static final int WARM_UP = 20;

    private static final List<Side> SIDES = List.of(Side.POSTGRESQL, Side.JDBC);
    private static final PrintStream OUT = System.out;

    private final List<String> columns = new ArrayList<>();
    private final Map<String, List<String>> lines = new LinkedHashMap<>();

    private BesideJdbc() {}

    /** Measures. */
    public static void main(String[] args) throws Exception {
        BesideJdbc all = new BesideJdbc();
        TurnTaking turns = new TurnTaking(TURN, WARM_UP, Integer.parseInt(args[3]));
        for (String micros : args[1].split(",")) {
            for (String callers : args[2].split(",")) {
                all.columns.add(callers + " callers, " + micros + " µs each way");
            }
            Duration eachWay = Duration.ofNanos(1_000 * Long.parseLong(micros));
            try (Bench bench = new Bench(args[0], eachWay, UnaryOperator.identity())) {
                for (Map.Entry<String, Adapters.Races> group : Adapters.groups().entrySet()) {
                    if (group.getKey().matches(args[4])) {
                        for (Race race : group.getValue().of(bench)) {
                            all.run(race, turns, args[2].split(","));
                        }
                    }
                }
            }
        }
        all.print();
    }

    private void run(Race race, TurnTaking turns, String... callers) throws InterruptedException {
        if (race.threads() > 1 || !race.sides().containsAll(SIDES)) {
            return;
        }
        for (String number : callers) {
            Rounds rounds = turns.of(race.callers(SIDES, Integer.parseInt(number)));
            OUT.printf(
                    "%s, %s callers: %.0f per second, JDBC %.0f, ratio %s%n",
                    race.what(), number, rounds.median(0), rounds.median(1), rounds.ratio(0, 1));
            lines.computeIfAbsent(race.what(), what -> new ArrayList<>())
                    .add(String.format("%.2f", rounds.ratio(0, 1).median()));
        }
    }

    private void print() {
        OUT.println("\n|Relative to JDBC|" + String.join("|", columns) + "|");
        OUT.println("|---" + "|--:".repeat(columns.size()) + "|");
        lines.forEach((what, ratios) -> OUT.println("|" + what + "|" + String.join("|", ratios) + "|"));
    }
}
