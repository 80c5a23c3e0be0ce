package dev.ttlstore.engine;

import java.util.function.BooleanSupplier;

/**
 * How much a purge may do in one commit. The engine chooses its own steps within the budget.
 *
 * @param rows how many rows it may remove at most
 * @param goOn asked between two steps; the purge ends if this returns false, because a writer waits
 * @param listed whether the removed rows are to be listed. If not, an engine may just count them
 * @since 0.1
 */
public record PurgeBudget(int rows, BooleanSupplier goOn, boolean listed) {

    /**
     * Limits the number of rows only, and lists them.
     *
     * @param rows how many rows may be removed at most
     * @return the budget
     */
    public static PurgeBudget of(int rows) {
        return new PurgeBudget(rows, () -> true, true);
    }
}
