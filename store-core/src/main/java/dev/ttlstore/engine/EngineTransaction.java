package dev.ttlstore.engine;

import java.util.Collection;

/** The write side of an engine, within one transaction. */
public interface EngineTransaction {

    /**
     * Returns the read side of the transaction.
     *
     * @return reads that see the transaction's own writes
     */
    EngineReads reads();

    /**
     * Returns whether the work runs again after a failed run. The engine has none of the first run's writes.
     *
     * @return whether it does
     */
    default boolean isRepeated() {
        return false;
    }

    /**
     * Returns for how many removals there is room. On a full disk there are few, so a caller that removes many rows
     * needs several commits.
     *
     * @return how many rows to remove at most; usually {@link Integer#MAX_VALUE}
     */
    default int removalLimit() {
        return Integer.MAX_VALUE;
    }

    /**
     * Stores the changes of a commit.
     *
     * @param changes at most one for each row
     */
    void store(Collection<RowChange> changes);

    /**
     * Removes expired rows, in steps of the engine's choice.
     *
     * @param groups the groups to look at
     * @param now the time by which rows have expired; those that expired first come first
     * @param budget how much to do at most
     * @param options what to keep of the rows
     * @return the removed rows, and whether there may be more
     */
    PurgeResult removeExpired(GroupRange groups, long now, PurgeBudget budget, PurgeOptions options);

    /**
     * Returns the changes of subscribers and their deliveries, within the transaction.
     *
     * @return the changes
     */
    DeliveryWrites deliveries();

    /**
     * Removes all rows of a group.
     *
     * @param group the full group name
     * @return how many there were
     */
    long removeGroup(String group);

    /**
     * Keeps expired rows that are about to be removed.
     *
     * @param rows the rows
     */
    void retain(Collection<Row> rows);

    /**
     * Removes retained rows.
     *
     * @param groups the groups that they were in
     * @param until removes the rows that had expired at this time
     * @param limit how many at most
     * @return how many were removed
     */
    int forget(GroupRange groups, long until, int limit);

    /**
     * Saves the state of the store.
     *
     * @param state the state that {@link Engine#state()} returns after the commit
     */
    void save(StoreState state);
}
