package dev.ttlstore.contract.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares a long random run of a store with the model, and when the two differ looks for a few steps that show it: the
 * shortest tail of the run that fails by itself, without those of its steps that it fails without as well.
 */
public final class ModelComparison {

    private static final int STEPS_PER_STATE_CHECK = 20;
    private static final int MOST_STEPS_TO_THIN_OUT = 256;

    private ModelComparison() {}

    /**
     * Runs a store beside the model.
     *
     * @param place the store, whose entries will be gone
     * @param operations what the run is made of
     * @param seed what the run is drawn by
     * @param count how many steps
     * @throws AssertionError if the store has not done what the model did
     */
    public static void check(Place place, List<ModelOperation> operations, long seed, int count) {
        List<Step> steps = Steps.draw(seed, count, operations);
        try {
            Run.take(steps, place, STEPS_PER_STATE_CHECK);
        } catch (Divergence e) {
            throw new AssertionError(report(e, shortened(e, place), seed), e.getCause());
        }
    }

    private static String report(Divergence found, Divergence shortened, long seed) {
        List<String> trace = shortened.trace();
        return "Seed %d, step %d: %s%nThe last %d steps of a run that shows it:%n%s%n%s"
                .formatted(
                        seed,
                        found.steps().size(),
                        found.getMessage(),
                        Math.min(trace.size(), MOST_STEPS_TO_THIN_OUT),
                        String.join(
                                System.lineSeparator(),
                                trace.subList(Math.max(0, trace.size() - MOST_STEPS_TO_THIN_OUT), trace.size())),
                        shortened.getMessage());
    }

    private static Divergence shortened(Divergence found, Place place) {
        Divergence shortest = found;
        for (int length = 1; length < found.steps().size(); length *= 2) {
            List<Step> steps = found.steps();
            Optional<Divergence> tail = attempt(steps.subList(steps.size() - length, steps.size()), place);
            if (tail.isPresent()) {
                shortest = tail.get();
                break;
            }
        }
        int i = 0;
        while (i < shortest.steps().size() && shortest.steps().size() <= MOST_STEPS_TO_THIN_OUT) {
            Optional<Divergence> without = attempt(without(shortest.steps(), i), place);
            if (without.isPresent()) {
                shortest = without.get();
            } else {
                i++;
            }
        }
        return shortest;
    }

    private static Optional<Divergence> attempt(List<Step> steps, Place place) {
        try {
            Run.take(steps, place, 1);
            return Optional.empty();
        } catch (Divergence e) {
            return Optional.of(e);
        } catch (RuntimeException e) {
            return Optional.empty(); // the store cannot even be emptied any more
        }
    }

    private static List<Step> without(List<Step> steps, int index) {
        List<Step> fewer = new ArrayList<>(steps);
        fewer.remove(index);
        return fewer;
    }
}
