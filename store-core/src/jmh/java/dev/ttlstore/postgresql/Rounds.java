package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.List;

/** What two sides have reached in rounds by turns. What disturbs a round disturbs both, so their ratio is taken in each. */
final class Rounds {

    private final List<Double> first = new ArrayList<>();
    private final List<Double> second = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();

    void add(double ofFirst, double ofSecond) {
        first.add(ofFirst);
        second.add(ofSecond);
        ratios.add(ofFirst / ofSecond);
    }

    /** Returns the median of the first side. */
    double first() {
        return at(first, 0.5);
    }

    /** Returns the median of the second side. */
    double second() {
        return at(second, 0.5);
    }

    /** Returns the median of the ratios, and the middle half of them. */
    String ratio() {
        return String.format("ratio %.2f (%.2f to %.2f)", at(ratios, 0.5), at(ratios, 0.25), at(ratios, 0.75));
    }

    private static double at(List<Double> numbers, double part) {
        return numbers.stream()
                .sorted()
                .skip((long) (part * (numbers.size() - 1)))
                .findFirst()
                .orElse(Double.NaN);
    }
}
