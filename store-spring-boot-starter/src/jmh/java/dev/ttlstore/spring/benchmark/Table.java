package dev.ttlstore.spring.benchmark;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ttlstore.benchmark.turns.Rounds;
import dev.ttlstore.benchmark.turns.TurnTaking;

/** A table in Markdown: what each side has reached per second, and the ratios of ours to others. */
final class Table {

    private static final PrintStream OUT = System.out;

    private final TurnTaking turns;
    private final List<Side> sides;
    private final List<Comparison> comparisons;

    /** Ours beside another. */
    record Comparison(Side ours, Side other) {}

    Table(TurnTaking turns, List<Side> sides, List<Comparison> comparisons) {
        this.turns = turns;
        this.sides = sides;
        this.comparisons = comparisons;
    }

    /** Prints the head. */
    void begin() {
        OUT.println();
        line(
                "",
                sides.stream().map(Side::title),
                comparisons.stream().map(pair -> pair.ours.title() + " / " + pair.other.title()));
        OUT.println("|---" + "|--:".repeat(sides.size() + comparisons.size()) + "|");
    }

    /** Measures, and prints a line. */
    void run(Race race) throws InterruptedException {
        Rounds rounds = turns.of(race.callers());
        List<Side> taking = race.sides();
        line(
                race.what(),
                sides.stream()
                        .map(side -> taking.contains(side)
                                ? String.format("%,.0f", rounds.median(taking.indexOf(side)))
                                : ""),
                comparisons.stream()
                        .map(pair -> taking.contains(pair.ours) && taking.contains(pair.other)
                                ? rounds.ratio(taking.indexOf(pair.ours), taking.indexOf(pair.other))
                                        .toString()
                                : ""));
    }

    private static void line(String what, Stream<String> rates, Stream<String> ratios) {
        OUT.println(Stream.of(Stream.of(what), rates, ratios)
                .flatMap(cells -> cells)
                .collect(Collectors.joining(" | ", "| ", " |")));
    }
}
