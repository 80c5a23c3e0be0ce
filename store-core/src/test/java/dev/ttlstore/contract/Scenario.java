package dev.ttlstore.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

import dev.ttlstore.contract.linear.Call;
import dev.ttlstore.contract.linear.KeyOperation;
import dev.ttlstore.contract.linear.KeyOperations;
import dev.ttlstore.contract.linear.LinearizabilityChecker;
import dev.ttlstore.contract.linear.OneKey;
import dev.ttlstore.contract.linear.Values;

import static java.util.stream.Collectors.joining;

/**
 * What some threads do to one key at the same time, what one does before them, and a look at the end.
 *
 * @param before the steps before the threads begin
 * @param threads the steps of each thread
 */
public record Scenario(List<Step> before, List<List<Step>> threads) {

    private static final int STEPS_PER_THREAD = 6;

    /** One call to come. */
    public record Step(KeyOperation operation, Values values) {}

    /** Draws a scenario, half of the time on a key that is there. */
    public static Scenario random(Random random, int threads) {
        List<List<Step>> steps = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            List<Step> mine = new ArrayList<>();
            for (int i = 0; i < STEPS_PER_THREAD; i++) {
                KeyOperation operation = KeyOperations.ALL.get(random.nextInt(KeyOperations.ALL.size()));
                mine.add(step(operation, value(thread, i), anyValue(random, threads)));
            }
            steps.add(mine);
        }
        return new Scenario(random.nextBoolean() ? List.of(initialPut()) : List.of(), steps);
    }

    /** The same single call in each of some threads. */
    static Scenario all(int threads, KeyOperation operation, Step... before) {
        List<List<Step>> steps = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            steps.add(List.of(step(operation, value(thread, 0), "0")));
        }
        return new Scenario(List.of(before), steps);
    }

    static Step initialPut() {
        return step(KeyOperations.named("put"), "0", "0");
    }

    /** Runs the scenario and returns all calls that were made. The threads take turns with the keys, which are one to them. */
    private List<Call<Optional<String>>> run(OneKey... keys) {
        AtomicLong time = new AtomicLong();
        List<Call<Optional<String>>> calls = new ArrayList<>();
        before.forEach(step -> calls.add(call(keys[0], step, "before", time)));
        Threads.together(threads.size(), thread -> {
                    List<Call<Optional<String>>> mine = new ArrayList<>();
                    OneKey key = keys[thread % keys.length];
                    threads.get(thread).forEach(step -> mine.add(call(key, step, "thread " + thread, time)));
                    return mine;
                })
                .forEach(calls::addAll);
        calls.add(call(keys[0], step(KeyOperations.named("get"), "", ""), "after", time));
        return calls;
    }

    /**
     * Runs the scenario on a key without an entry, and fails if its answers have no order that explains them.
     *
     * @param keys the same key in one or more stores on the same data
     */
    public void check(OneKey... keys) {
        List<Call<Optional<String>>> calls = run(keys);
        if (LinearizabilityChecker.explain(Optional.empty(), calls).isEmpty()) {
            throw new AssertionError("No order of these calls explains their answers:\n"
                    + calls.stream().map(Call::toString).collect(joining("\n")));
        }
    }

    private static Call<Optional<String>> call(OneKey key, Step step, String thread, AtomicLong time) {
        KeyOperation operation = step.operation();
        long began = time.getAndIncrement();
        Object answer = operation.real().run(key, step.values());
        long ended = time.getAndIncrement();
        return new Call<>(thread, operation.name() + step.values(), answer, began, ended, standing -> operation
                .model()
                .run(standing, step.values()));
    }

    private static Step step(KeyOperation operation, String value, String expected) {
        return new Step(operation, new Values(value, expected));
    }

    /** Zero is the value that is there before. */
    private static String anyValue(Random random, int threads) {
        int thread = random.nextInt(threads + 1);
        return thread == threads ? "0" : value(thread, random.nextInt(STEPS_PER_THREAD));
    }

    private static String value(int thread, int step) {
        return String.valueOf(100 * (thread + 1) + step);
    }
}
