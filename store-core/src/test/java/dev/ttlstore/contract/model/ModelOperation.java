package dev.ttlstore.contract.model;

/**
 * Something that can be asked of a store, and what the model makes of it. An {@link IllegalArgumentException} is an answer
 * as well, on both sides.
 *
 * @param name its name
 * @param weight how often it comes, next to the others
 * @param real asks the store
 * @param model says what the store should have answered
 */
public record ModelOperation(String name, int weight, Real real, Modelled model) {

    /** Asks a store. */
    @FunctionalInterface
    public interface Real {

        /** Runs the operation, and returns its answer: a value with {@code equals}. */
        Object run(Place place, Arguments arguments);
    }

    /** Changes the model as the store should have changed. */
    @FunctionalInterface
    public interface Modelled {

        /** Returns the right answer. What the store has answered is for answers that no model can know. */
        Object run(Model model, Arguments arguments, Object answered);
    }

    /** The same operation, asked of the store in another way. */
    public ModelOperation with(Real other) {
        return new ModelOperation(name, weight, other, model);
    }
}
