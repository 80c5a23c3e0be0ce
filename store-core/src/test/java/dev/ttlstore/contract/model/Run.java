package dev.ttlstore.contract.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Store;
import dev.ttlstore.event.StoreEvent;

/** Takes steps in a store and in a model, side by side, beginning with nothing. */
final class Run {

    private static final Duration LONGER_THAN_ALL_STEPS_BACK = Duration.ofHours(12);

    private final Place place;
    private final int stepsPerStateCheck;
    private final Model model = new Model();
    private final EventCheck eventCheck;
    private final Queue<StoreEvent> told = new ConcurrentLinkedQueue<>();
    private final List<String> trace = new ArrayList<>();

    private @Nullable Store heard;

    private Run(Place place, int stepsPerStateCheck) {
        this.place = place;
        this.eventCheck = new EventCheck(model, place.isExclusive());
        this.stepsPerStateCheck = stepsPerStateCheck;
    }

    /** Takes the steps, and looks at the whole state after every few and at the end. */
    static void take(List<Step> steps, Place place, int stepsPerStateCheck) throws Divergence {
        new Run(place, stepsPerStateCheck).take(steps);
    }

    private void take(List<Step> steps) throws Divergence {
        empty(place);
        model.reach(place.clock());
        for (int i = 0; i < steps.size(); i++) {
            try {
                listen();
                take(steps.get(i));
                if ((i + 1) % stepsPerStateCheck == 0 || i == steps.size() - 1) {
                    StateCheck.check(place.store(), model);
                }
            } catch (RuntimeException | AssertionError e) {
                throw new Divergence(steps.subList(0, i + 1), trace, e);
            }
        }
    }

    private void take(Step step) {
        ModelOperation operation = step.operation();
        Arguments arguments = step.arguments(model);
        trace.add(operation.name() + arguments + " -> ?");
        Object answer = orRefused(() -> operation.real().run(place, arguments));
        trace.set(trace.size() - 1, operation.name() + arguments + " -> " + answer);
        model.reach(place.clock());
        Object expected = orRefused(() -> operation.model().run(model, arguments, answer));
        if (!answer.equals(expected)) {
            throw new AssertionError(operation.name() + " answered " + answer + ", and not " + expected);
        }
        List<StoreEvent> events = List.copyOf(told);
        told.clear();
        eventCheck.check(events);
    }

    /** A reopened store has forgotten its listeners. */
    private void listen() {
        if (heard != place.store()) {
            heard = place.store();
            heard.onChange(told::add);
        }
    }

    private static void empty(Place place) {
        place.moveClock(LONGER_THAN_ALL_STEPS_BACK);
        List<String> groups = place.store().groups().toList();
        groups.forEach(group -> place.store().group(group).clear());
        place.store().purgeExpired();
    }

    private static Object orRefused(Supplier<Object> answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException e) {
            return "refused";
        }
    }
}
