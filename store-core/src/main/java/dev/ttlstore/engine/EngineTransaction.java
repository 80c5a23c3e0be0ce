package dev.ttlstore.engine;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * One commit: the view that it is decided from, and its writes. Its {@link #reads() reads} see its own writes. {@link #load}
 * comes before all writes.
 */
public interface EngineTransaction extends EngineView {

    /**
     * Makes the commit depend on what was read through a snapshot: a row has the same version and expiry or is still missing, and
     * nothing has changed in ranges that were scanned or counted. An engine may check that now or when it commits. Does nothing
     * if this process alone writes the data.
     *
     * <p>A changed usage is no conflict: what was decided by it may still be right.
     *
     * @param snapshot the snapshot, which may be closed
     * @return those namespaces whose usage was loaded through the snapshot and has changed
     * @throws ConflictException if something has changed; {@link Engine#write} may throw it too
     */
    Set<String> validate(EngineSnapshot snapshot);

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
     * #load} throws {@link LargeLoadException} if the values take more. An engine that cannot tell in time ignores it.
     *
     * @param bytes how many bytes at most
     */
    default void limitLoad(long bytes) {}

    /**
     * Takes what a commit is asked to do, before anything is loaded. An engine that finds out when it commits how the rows are may do
     * without loading them. Not called if the commit needs more than these rows, such as the usage of a namespace.
     *
     * @param requests the requests of the commit, in their order; it does nothing else
     * @return the rows by which they are decided; null if their rows must be loaded
     */
    default @Nullable Supposition suppose(List<Request> requests) {
        return null;
    }

    /**
     * Returns what the commit has found, if it was decided by a provisional {@link Supposition}. Known when the commit was made. It is
     * decided again then, for its answers and its events, and {@link #nextSequence} hands out the same numbers again.
     *
     * @return how the rows were before the commit, and whether it has changed them
     */
    default Found found() {
        throw new IllegalStateException("The commit has supposed nothing");
    }

    /**
     * Stores the changes of a commit, and the change of usage that follows from them.
     *
     * @param changes at most one for each row
     */
    void store(Collection<RowChange> changes);

    /**
     * Logs the changes of the commit for other processes. Not called if this process alone writes the data.
     *
     * @param changes the changes, in the order of their sequence
     */
    void log(List<LoggedChange> changes);

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
     * Records the expiry of rows that the commit removes: a delivery for each subscriber to their groups.
     *
     * @param rows the expired rows, in the order of their expiry
     * @param retained the groups whose rows are kept as retained rows; ranges that do not overlap
     * @return whether a delivery was recorded
     */
    boolean expired(Collection<Row> rows, List<GroupRange> retained);

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
