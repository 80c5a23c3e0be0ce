package dev.ttlstore.engine.commit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryTime;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Row;

import static java.util.Objects.requireNonNull;

/**
 * What was decided about a row.
 *
 * @param applied whether its condition held, and there was a row where it needs one
 * @param before the live row that it has found; null if there was none
 * @param after the row as it is now; the same object if the operation has changed nothing, null if there is none
 * @param expiry computes the expiry of a row that the operation has changed
 * @since 0.1
 */
public record RowTransition(
        boolean applied, @Nullable Row before, @Nullable Row after, ExpiryTime expiry) {

    /**
     * Says that nothing was done to a row.
     *
     * @param applied whether the condition held
     * @param row the live row; null if there is none
     * @return the outcome
     */
    public static RowTransition unchanged(boolean applied, @Nullable Row row) {
        return new RowTransition(applied, row, row, ExpiryTime.NEVER);
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

    /**
     * Returns what the caller of the operation gets. It keeps no value that nobody has asked for.
     *
     * @param operation the operation
     * @return its outcome
     */
    public Outcome outcomeOf(Operation operation) {
        Row now = after;
        boolean put = isChange() && now != null;
        Row row =
                switch (operation.effect().kind()) {
                    case ADD, COMPUTE -> now;
                    default -> operation.returning() ? before : null;
                };
        return new Outcome(applied, before != null, put ? put().version() : 0, row);
    }
}
