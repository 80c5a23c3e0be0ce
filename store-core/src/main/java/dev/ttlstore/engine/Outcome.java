package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * What an operation has done.
 *
 * @param applied whether its condition held, and there was a row where it needs one
 * @param before the live row that it has found; null if there was none
 * @param after the row as it is now; the same object if the operation has changed nothing, null if there is none
 * @param expiry computes the expiry of a row that the operation has changed
 */
public record Outcome(
        boolean applied, @Nullable Row before, @Nullable Row after, ExpiryTime expiry) {

    /**
     * Says that nothing was done to a row.
     *
     * @param applied whether the condition held
     * @param row the live row; null if there is none
     * @return the outcome
     */
    public static Outcome unchanged(boolean applied, @Nullable Row row) {
        return new Outcome(applied, row, row, ExpiryTime.NEVER);
    }

    /**
     * Tests whether the operation has changed the row.
     *
     * @return whether it was put, deleted or rescheduled
     */
    @SuppressWarnings("ReferenceEquality") // a change makes a new row
    public boolean isChange() {
        return before != after;
    }

    /**
     * Returns the row that was put.
     *
     * @return the row
     */
    public Row put() {
        return requireNonNull(after);
    }
}
