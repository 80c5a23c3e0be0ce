package dev.ttlstore.benchmark.report;

import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Something that the store shall reach.
 *
 * @param text what, for people
 * @param bound the ratio or figure to reach
 * @param atMost whether it must stay at or below the bound, rather than reach it
 * @param measured what was; empty if a result is missing
 */
record Goal(String text, double bound, boolean atMost, Function<Results, OptionalDouble> measured) {

    static Goal atLeast(double bound, String text, Function<Results, OptionalDouble> measured) {
        return new Goal(text, bound, false, measured);
    }

    static Goal atMost(double bound, String text, Function<Results, OptionalDouble> measured) {
        return new Goal(text, bound, true, measured);
    }

    boolean isMet(double figure) {
        return atMost ? figure <= bound : figure >= bound;
    }

    /** One by the other; empty if one of them is missing. */
    static OptionalDouble ratio(OptionalDouble one, OptionalDouble other) {
        return one.isPresent() && other.isPresent()
                ? OptionalDouble.of(one.getAsDouble() / other.getAsDouble())
                : OptionalDouble.empty();
    }

    /** The largest of those that are there. */
    static OptionalDouble best(OptionalDouble... some) {
        OptionalDouble best = OptionalDouble.empty();
        for (OptionalDouble one : some) {
            if (one.isPresent() && (best.isEmpty() || one.getAsDouble() > best.getAsDouble())) {
                best = one;
            }
        }
        return best;
    }
}
