package dev.ttlstore.internal.access;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.AgeScan;
import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.LiveReads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.event.Watch;
import dev.ttlstore.internal.base.Reply;
import dev.ttlstore.internal.watch.WatchRequest;

/**
 * Reaches the rows of groups: directly in the store, or within a transaction. Reads answer live rows only. Every method throws
 * if the store is closed or the transaction has ended.
 */
public interface RowAccess {

    /**
     * Returns what all groups of the store share.
     *
     * @return the context
     */
    StoreContext context();

    /** Throws if the store is closed, the transaction has ended, or the store is used within a transaction. */
    void requireUsable();

    /** Throws as {@link #requireUsable()} does, and also if there are no asynchronous writes, as in a transaction. */
    void requireAsync();

    /**
     * Returns whether long work must end early.
     *
     * @return whether the thread is interrupted; always false in a transaction, which commits all of its work or none
     */
    boolean isInterrupted();

    /**
     * Returns whether others may write between two calls.
     *
     * @return true; false in a transaction, which has all writes to itself
     */
    boolean hasOtherWriters();

    /**
     * Returns whether the rows are on a server, so that a read takes about as long as a write.
     *
     * @return true if other processes may write the same rows
     */
    boolean isShared();

    /**
     * Returns the store's time.
     *
     * @return milliseconds since the epoch
     */
    long now();

    /**
     * Reads a row.
     *
     * @param key its key
     * @return the live row; null if there is none
     */
    @Nullable
    Row read(RowKey key);

    /**
     * Reads a row that need not be that of the last commit: if other processes write too, and the near cache is on, it may be
     * older for as long as their reports take. Nothing is decided by it, and its expiry may have been moved to a later time.
     *
     * @param key its key
     * @return the live row; null if there is none
     */
    @Nullable
    Row recent(RowKey key);

    /**
     * Reads rows, all as of one moment.
     *
     * @param keys their keys
     * @return the live rows
     */
    Map<RowKey, Row> read(Collection<RowKey> keys);

    /**
     * Reads a whole group, as of one moment.
     *
     * @param group its full name
     * @return its live entries, in the order of their keys; nobody else uses their bytes
     */
    List<KeyValue> readGroup(String group);

    /**
     * Reads a page of a group.
     *
     * @param scan the page
     * @return the live rows, and whether there may be more
     */
    RowPage scan(Scan scan);

    /**
     * Reads a page of a group with an age index, in the order of creation.
     *
     * @param scan the page
     * @return the live rows, and whether there may be more
     */
    RowPage created(AgeScan scan);

    /**
     * Counts entries.
     *
     * @param groups the groups
     * @param at the time at which they are live, in milliseconds since the epoch; an earlier one than now, such as {@link
     *     LiveReads#NOW}, counts as now
     * @return how many
     */
    long count(GroupRange groups, long at);

    /**
     * Counts the entries of a range of a group.
     *
     * @param scan the range, and the time at which they are live; an earlier one than now, such as {@link LiveReads#NOW},
     *     counts as now. Its direction and limit do not count
     * @return how many
     */
    long count(Scan scan);

    /**
     * Lists groups with live entries.
     *
     * @param groups the groups to look at
     * @param after the full name after which the list starts; empty for the first
     * @param limit how many names at most
     * @return full names, in order
     */
    List<String> groups(GroupRange groups, String after, int limit);

    /**
     * Starts a walk over rows in the order of their expiry, as they were committed. Rows that have expired by then are
     * left out of a page.
     *
     * @param scan selects the rows
     * @return the walk
     */
    ExpiryWalk expiries(ExpiryScan scan);

    /**
     * Starts a walk over rows that have expired and are not removed yet, in the order of their expiry, as they were
     * committed.
     *
     * @param scan selects the rows
     * @return the walk
     */
    ExpiryWalk expired(ExpiryScan scan);

    /**
     * Reads a page of retained rows.
     *
     * @param scan the page
     * @return rows in the order of their expiry
     */
    List<Row> retained(RetainedScan scan);

    /**
     * Reads a committed row, live or expired.
     *
     * @param key its key
     * @return the row; null if there is none
     */
    @Nullable
    Row committed(RowKey key);

    /**
     * Runs a request and waits for its commit, or adds it to the transaction.
     *
     * @param request the request
     * @return what has become of it
     */
    Answer submit(Request request);

    /**
     * Runs a mutation and waits for its commit, or adds it to the transaction.
     *
     * @param mutation the mutation
     * @return its answer
     * @param <R> the type of the answer
     */
    default <R extends @Nullable Object> R submit(Mutation<R> mutation) {
        return mutation.read(submit(mutation.request()));
    }

    /**
     * Queues a request.
     *
     * @param request the request
     * @param reply gets what has become of it, once it is committed
     */
    void submitAsync(Request request, Reply<Answer> reply);

    /**
     * Deletes all entries of groups.
     *
     * @param groups the groups
     * @return how many live entries were deleted
     */
    long clear(GroupRange groups);

    /**
     * Queues the deletion of all entries of a group.
     *
     * @param group its full name
     * @param future completed with the number of live entries that were deleted, once that is committed
     */
    void clearAsync(String group, CompletableFuture<Long> future);

    /**
     * Opens a watch.
     *
     * @param request what to watch
     * @return the watch
     */
    Watch watch(WatchRequest request);
}
