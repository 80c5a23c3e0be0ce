package dev.ttlstore.benchmark.turns;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What several sides have reached in rounds by turns. What disturbs a round disturbs all of them, so ratios are taken in each. */
public final class Rounds {

    private final List<double[]> rounds = new ArrayList<>();

    /**
     * A ratio.
     *
     * @param median the median over the rounds
     * @param low where their middle half begins
     * @param high where it ends
     */
    public record Ratio(double median, double low, double high) {

        @Override
        public String toString() {
            return String.format("%.2f (%.2f to %.2f)", median, low, high);
        }
    }

    /** Adds what each side has reached in a round, in the order of the sides. */
    public void add(double... reached) {
        rounds.add(reached.clone());
    }

    /** Returns what a side has reached in each round. */
    public double[] of(int side) {
        return rounds.stream().mapToDouble(round -> round[side]).toArray();
    }

    /** Returns the median of a side. */
    public double median(int side) {
        return at(round -> round[side], 0.5);
    }

    /** Returns the ratio of a side to another. */
    public Ratio ratio(int side, int other) {
        ToDoubleFunction<double[]> ratio = round -> round[side] / round[other];
        return new Ratio(at(ratio, 0.5), at(ratio, 0.25), at(ratio, 0.75));
    }

    /** Returns a quantile, between the two nearest rounds in proportion. */
    private double at(ToDoubleFunction<double[]> number, double part) {
        double[] sorted = rounds.stream().mapToDouble(number).sorted().toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double place = part * (sorted.length - 1);
        double below = sorted[(int) place];
        double above = sorted[(int) Math.ceil(place)];
        return below + (above - below) * (place - (int) place);
    }
}
