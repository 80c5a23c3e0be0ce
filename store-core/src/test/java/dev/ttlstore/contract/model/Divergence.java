package dev.ttlstore.contract.model;

import java.io.Serial;
import java.util.List;

/** A store has done otherwise than the model. */
final class Divergence extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Step> steps;
    private final transient List<String> trace;

    /**
     * Creates the exception.
     *
     * @param steps the steps up to the one at fault
     * @param trace the same in words, with their answers
     * @param cause what was wrong after the last
     */
    Divergence(List<Step> steps, List<String> trace, Throwable cause) {
        super(cause.getMessage(), cause);
        this.steps = List.copyOf(steps);
        this.trace = List.copyOf(trace);
    }

    List<Step> steps() {
        return steps;
    }

    List<String> trace() {
        return trace;
    }
}
