package dev.ttlstore.spring.benchmark;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.benchmark.turns.Callers;

import static java.util.Objects.requireNonNull;

/** An operation by each side that has it. Not thread-safe, except for what the operations do. */
final class Race {

    private final String what;
    private final int threads;
    private final Map<Side, Callers.Call> calls = new EnumMap<>(Side.class);

    /**
     * Creates a race without sides.
     *
     * @param what names the operation in the table
     * @param threads how many callers each side has
     */
    Race(String what, int threads) {
        this.what = what;
        this.threads = threads;
    }

    /** Adds a side by what a caller of it does again and again. */
    Race add(Side side, Callers.Call call) {
        calls.put(side, call);
        return this;
    }

    /** Returns what a caller of a side does; null if the side does not take part. */
    Callers.@Nullable Call call(Side side) {
        return calls.get(side);
    }

    int threads() {
        return threads;
    }

    /** Returns some callers of each of some sides, in the order of these. */
    List<List<Callers.Call>> callers(List<Side> taking, int number) {
        return taking.stream()
                .map(side -> Collections.nCopies(number, requireNonNull(calls.get(side))))
                .toList();
    }

    String what() {
        return what;
    }

    List<Side> sides() {
        return List.copyOf(calls.keySet());
    }

    /** Returns the callers of each side, in the order of the sides. */
    List<List<Callers.Call>> callers() {
        return calls.values().stream()
                .map(call -> Collections.nCopies(threads, call))
                .toList();
    }

    /** Fails if an operation did not do what it should, which would make it seem fast. */
    static void require(boolean done, String what) {
        if (!done) {
            throw new IllegalStateException("The benchmark is wrong: " + what);
        }
    }
}
