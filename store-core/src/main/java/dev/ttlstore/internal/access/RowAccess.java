package dev.ttlstore.internal.access;

import java.util.concurrent.CompletableFuture;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
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
     * Returns the reads. Not to be kept: a thread may be in a transaction by the next read.
     *
     * @return reads of what the caller sees
     */
    Reads reads();

    /**
     * Runs a request and waits for its commit, or adds it to the transaction.
     *
     * @param request the request
     * @return what has become of it
     */
    Answer submit(Request request);

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
