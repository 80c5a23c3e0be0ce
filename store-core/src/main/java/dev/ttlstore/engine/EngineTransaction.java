package dev.ttlstore.engine;

import java.util.Collection;

/** The write side of an engine, within one transaction. */
public interface EngineTransaction {

    /**
     * The read side of the transaction.
     *
     * @return reads that see what the transaction has written
     */
    EngineReads reads();

    /**
     * Tells whether the work was run before in vain, and is run again. Nothing of the first run is in the engine.
     *
     * @return whether it is
     */
    default boolean isRepeated() {
        return false;
    }

    /**
     * Tells for how many removals there is room. On a full disk that is few, and who removes many does so in several commits.
     *
     * @return how many rows should be removed at most; {@link Integer#MAX_VALUE} usually
     */
    default int removalLimit() {
        return Integer.MAX_VALUE;
    }

    /**
     * Stores what a commit has decided.
     *
     * @param changes at most one for each row
     */
    void store(Collection<RowChange> changes);

    /**
     * Removes expired rows, those that expired first before others.
     *
     * @param groups the groups to look at
     * @param now the time to judge expiry by
     * @param limit how many at most, and how many that were renewed to look at beside them
     * @param options what to keep of them
     * @return what was removed
     */
    PurgeResult removeExpired(GroupRange groups, long now, int limit, PurgeOptions options);

    /**
     * The changes of subscribers and their deliveries, within the transaction.
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
     * Keeps expired rows that are about to go.
     *
     * @param rows the rows
     */
    void retain(Collection<Row> rows);

    /**
     * Forgets retained rows.
     *
     * @param groups the groups that they were in
     * @param until those that had expired at this time
     * @param limit how many at most
     * @return how many went
     */
    int forget(GroupRange groups, long until, int limit);

    /**
     * Keeps how far the store has come.
     *
     * @param state what {@link Engine#state()} should answer from the commit on
     */
    void save(StoreState state);
}
