package dev.ttlstore.benchmark;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Prints what operations cost in stores of several sizes, in microseconds and in allocated bytes, as tables in Markdown: what
 * grows with the size shows in its row. Arguments: the numbers of entries; without any, 10,000, 100,000 and 1,000,000.
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
        List<Map<String, SizedStore.Cost>> costs =
                Arrays.stream(sizes).mapToObj(CostBySize::measure).toList();
        print("µs per operation", sizes, costs, SizedStore.Cost::micros);
        OUT.println();
        print("Bytes per operation", sizes, costs, SizedStore.Cost::bytes);
    }

    private static void print(
            String title,
            int[] sizes,
            List<Map<String, SizedStore.Cost>> costs,
            ToDoubleFunction<SizedStore.Cost> part) {
        OUT.printf("| %s |", title);
        Arrays.stream(sizes).forEach(entries -> OUT.printf(Locale.ROOT, " %,d |", entries));
        OUT.printf("%n|---|%s%n", "--:|".repeat(sizes.length));
        for (String operation : costs.get(0).keySet()) {
            OUT.printf("| %s |", operation);
            for (Map<String, SizedStore.Cost> ofSize : costs) {
                double cost = part.applyAsDouble(ofSize.get(operation));
                OUT.printf(Locale.ROOT, cost < 100 ? " %.1f |" : " %,.0f |", cost);
            }
            OUT.println();
        }
    }

    /** Returns the medians over the rounds. All operations take turns, so that what disturbs a round disturbs all. */
    private static Map<String, SizedStore.Cost> measure(int entries) {
        Map<String, List<SizedStore.Cost>> rounds = new LinkedHashMap<>();
        try (SizedStore store = new SizedStore(entries)) {
            for (int round = 0; round < ROUNDS; round++) {
                store.round().forEach((operation, cost) -> rounds.computeIfAbsent(operation, o -> new ArrayList<>())
                        .add(cost));
            }
        }
        Map<String, SizedStore.Cost> medians = new LinkedHashMap<>();
        rounds.forEach((operation, costs) -> medians.put(
                operation,
                new SizedStore.Cost(median(costs, SizedStore.Cost::micros), median(costs, SizedStore.Cost::bytes))));
        return medians;
    }

    private static double median(List<SizedStore.Cost> costs, ToDoubleFunction<SizedStore.Cost> part) {
        return costs.stream().mapToDouble(part).sorted().toArray()[ROUNDS / 2];
    }
}
