package dev.ttlstore.internal.commit;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.RowKey;

/**
 * One caller's change: a function from the rows that it names to their new state and the caller's answer. It does no
 * I/O. It may run more than once, but at most one run takes effect. If it throws, its own changes are undone and its
 * caller gets the exception; other mutations of the same commit are not affected.
 *
 * @param <R> the type of the answer
 */
public interface Mutation<R extends @Nullable Object> {

    /**
     * Returns the rows to load before the decision.
     *
     * @return their names
     */
    Collection<RowKey> keys();

    /**
     * Returns how much memory the values take that the mutation holds: those that it puts, and those that it expects. Mutations share a
     * commit only as long as it is not too large, and wait only as long as there is room for them.
     *
     * @return the number of bytes; 0 if there are none
     */
    default long bytes() {
        return 0;
    }

    /**
     * Returns what is known of the only row of the mutation.
     *
     * @return null if the row must be loaded
     */
    default @Nullable Premise premise() {
        return null;
    }

    /**
     * Decides the change.
     *
     * @param draft the rows as earlier mutations left them; takes the changes
     * @return the answer for the caller
     */
    R apply(Draft draft);
}
