package dev.ttlstore.benchmark;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints what operations cost in stores of several sizes, in microseconds, as a table in Markdown: what grows with the size
 * shows in its row. Arguments: the numbers of entries; without any, 10,000, 100,000 and 1,000,000.
 */
public final class CostBySize {

    private static final List<String> USUAL = List.of("10000", "100000", "1000000");
    private static final int ROUNDS = 11;
    private static final int WARM_UP_ENTRIES = 10_000;
    private static final PrintStream OUT = System.out;

    private CostBySize() {}

    /** Measures. */
    public static void main(String[] args) {
        int[] sizes = (args.length == 0 ? USUAL : Arrays.asList(args))
                .stream().mapToInt(Integer::parseInt).toArray();
        measure(WARM_UP_ENTRIES); // compiles
        Map<String, List<Double>> table = new LinkedHashMap<>();
        for (int entries : sizes) {
            measure(entries).forEach((operation, micros) -> table.computeIfAbsent(operation, o -> new ArrayList<>())
                    .add(micros));
        }
        OUT.print("| µs per operation |");
        Arrays.stream(sizes).forEach(entries -> OUT.printf(Locale.ROOT, " %,d |", entries));
        OUT.printf("%n|---|%s%n", "--:|".repeat(sizes.length));
        table.forEach((operation, micros) -> {
            OUT.printf("| %s |", operation);
            micros.forEach(cost -> OUT.printf(Locale.ROOT, cost < 100 ? " %.1f |" : " %,.0f |", cost));
            OUT.println();
        });
    }

    /** Returns the medians over the rounds. All operations take turns, so that what disturbs a round disturbs all. */
    private static Map<String, Double> measure(int entries) {
        Map<String, double[]> rounds = new LinkedHashMap<>();
        try (SizedStore store = new SizedStore(entries)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (Map.Entry<String, Double> cost : store.round().entrySet()) {
                    rounds.computeIfAbsent(cost.getKey(), o -> new double[ROUNDS])[round] = cost.getValue();
                }
            }
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        rounds.forEach((operation, micros) ->
                medians.put(operation, Arrays.stream(micros).sorted().toArray()[ROUNDS / 2]));
        return medians;
    }
}
