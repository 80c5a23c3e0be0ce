package dev.ttlstore.engine;

import java.util.List;
import java.util.function.BooleanSupplier;

import dev.ttlstore.exception.QuotaExceededException.Amounts;

/**
 * A write that names no rows. It has a commit of its own.
 *
 * @param <R> the type of its result
 * @since 0.1
 */
public sealed interface Command<R>
        permits Command.Clear,
                Command.Purge,
                Command.Forget,
                Command.MendRetained,
                Command.CountUsage,
                DeliveryCommand {

    /**
     * Removes the rows of some groups: first the expired ones, some with each commit, and then all live ones at once; or as many as there is room
     * for.
     *
     * @param groups the groups
     */
    record Clear(GroupRange groups) implements Command<Cleared> {}

    /**
     * The result of a clear.
     *
     * @param removed how many live entries were removed
     * @param more whether there are more, which need another commit
     */
    record Cleared(long removed, boolean more) {}

    /**
     * Removes expired rows, the earliest expiry first.
     *
     * @param groups the groups
     * @param until rows that expired after this time stay, in milliseconds since the epoch
     * @param rows how many to remove at most
     * @param goOn asked between two steps; the purge ends if this returns false, because a writer waits
     * @param listed asked when the time of the commit is fixed: whether anybody wants to know which rows were removed
     */
    record Purge(GroupRange groups, long until, int rows, BooleanSupplier goOn, BooleanSupplier listed)
            implements Command<PurgeResult> {}

    /**
     * Removes retained rows, as many as there is room for, and returns how many.
     *
     * @param groups the groups, and what they forget
     * @param limit how many at most
     */
    record Forget(List<Forgotten> groups, int limit) implements Command<Integer> {}

    /**
     * Lets retained rows expire now whose expiry comes from a clock that was ahead, and returns how many.
     *
     * @param limit how many at most
     */
    record MendRetained(int limit) implements Command<Integer> {}

    /**
     * Counts the live rows of a namespace.
     *
     * @param namespace the namespace
     */
    record CountUsage(String namespace) implements Command<Amounts> {}

    /**
     * Retained rows whose time is over.
     *
     * @param groups the groups
     * @param until the last expiry of these rows, in milliseconds since the epoch
     */
    record Forgotten(GroupRange groups, long until) {}
}
