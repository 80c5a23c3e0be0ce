package dev.ttlstore.internal.commit;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.RowKey;

/**
 * One caller's change: a function from the rows that it names to the rows that should stand and the caller's answer. It does
 * no I/O and may be run more than once, of which one run at most takes effect. When it throws, its own changes are undone
 * and its caller gets the exception; other mutations of the same commit are not touched.
 *
 * @param <R> the type of the answer
 */
public interface Mutation<R extends @Nullable Object> {

    /**
     * The rows to load before the decision.
     *
     * @return their names
     */
    Collection<RowKey> keys();

    /**
     * Decides.
     *
     * @param draft the rows as they stand, and where to put what should become of them
     * @return the answer for the caller
     */
    R apply(Draft draft);
}
