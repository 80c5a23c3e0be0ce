package dev.ttlstore.engine.commit;

import java.util.List;
import java.util.Set;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineView;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.LargeLoadException;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.support.DeliveryTable;

/**
 * One commit of an engine that loads rows and stores rows: the view that it is decided from, and its writes. Its {@link #reads() reads}
 * see its own writes. {@link #load} comes before all writes.
 *
 * @since 0.1
 */
public interface RowCommit extends EngineView {

    /**
     * Makes the commit depend on what was read through a snapshot: a row has the same version and expiry or is still missing, and
     * nothing has changed in ranges that were scanned or counted. An engine may check that now or when it commits. Does nothing
     * if this process alone writes the data.
     *
     * <p>A changed usage is no conflict: what was decided by it may still be right.
     *
     * @param snapshot the snapshot, which may be closed
     * @return those namespaces whose usage was loaded through the snapshot and has changed
     * @throws ConflictException if something has changed; the end of the commit may throw it too
     */
    default Set<String> validate(EngineSnapshot snapshot) {
        return Set.of();
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
     * Limits the values that the commit loads, because several callers share it. Called before anything is loaded. From then on, {@link
     * #load} throws {@link LargeLoadException} if the values take more. An engine that cannot tell in time ignores it, and is asked for less
     * afterwards.
     *
     * @param bytes how many bytes at most
     */
    default void limitLoad(long bytes) {}

    /**
     * Stores what the commit writes: the rows, the change of usage that follows from them, a delivery for each subscriber to the groups of the
     * expired rows, and, if other processes use the data, {@linkplain WriteSet#logged the changes} in a log for them. Called once at most.
     *
     * @param writes what to store
     * @param retained the groups whose expired rows are kept as retained rows; ranges that do not overlap
     * @return whether a delivery was recorded
     */
    boolean store(WriteSet writes, List<GroupRange> retained);

    /**
     * Removes expired rows, in steps of the engine's choice, and records a delivery for each subscriber to their groups.
     *
     * @param groups the groups to look at
     * @param now the time by which rows have expired; those that expired first come first
     * @param budget how much to do at most
     * @param retained the groups whose rows are kept as retained rows; ranges that do not overlap
     * @return the removed rows, or how many they were, and whether there may be more
     */
    PurgeResult removeExpired(GroupRange groups, long now, PurgeBudget budget, List<GroupRange> retained);

    /**
     * Returns the stored subscribers and their deliveries, within the commit.
     *
     * @return the table
     */
    DeliveryTable deliveries();

    /**
     * Removes all rows of a group.
     *
     * @param group the full group name
     * @return how many there were
     */
    long removeGroup(String group);

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
     * Gives retained rows an earlier expiry, if theirs comes from a clock that was ahead: they had all expired when they were retained.
     *
     * @param after changes the rows that expired after this time
     * @param to the expiry that they get; their creation and update are not later either
     * @param limit how many at most
     * @return how many were changed
     */
    int mendRetained(long after, long to, int limit);
}
