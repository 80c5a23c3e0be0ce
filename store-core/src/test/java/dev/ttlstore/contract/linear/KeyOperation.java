package dev.ttlstore.contract.linear;

import java.util.Optional;

/**
 * An operation on one key: how a store is asked for it, and what it does to the key's value when nothing runs beside it.
 *
 * @param name its name
 * @param real asks the store
 * @param model answers from the value that stands, if any, and says which stands afterwards
 */
public record KeyOperation(String name, Real real, Model model) {

    /** Asks a store. */
    @FunctionalInterface
    public interface Real {

        /** Runs the operation, and returns its answer. */
        Object run(OneKey key, Values values);
    }

    /** Says what the store should answer. */
    @FunctionalInterface
    public interface Model {

        /** Runs the operation on the value that stands. */
        CallOutcome<Optional<String>> run(Optional<String> standing, Values values);
    }

    /** The same operation, asked of the store in another way. */
    public KeyOperation with(Real other) {
        return new KeyOperation(name, other, model);
    }
}
