package dev.ttlstore.internal.access;

import java.util.concurrent.CompletableFuture;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.RowKey;
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
    default void requireAsync() {
        requireUsable();
    }

    /**
     * Names a row of a caller.
     *
     * @param group the full name of its group
     * @param key its key
     * @return the name
     */
    default RowKey rowKey(String group, String key) {
        requireUsable();
        return new RowKey(group, Names.require(key, "key"));
    }

    /** What there is between a caller and the rows. */
    enum Kind {
        /** A store whose data this process alone writes. */
        OWN,

        /** A store on a server: other processes may write the same rows, and a read takes about as long as a write. */
        SHARED,

        /** A transaction: nobody else writes between two calls, and all of its work is committed, or none. */
        TRANSACTION
    }

    /**
     * Returns where the caller is.
     *
     * @return the kind of this access for the calling thread
     */
    Kind kind();

    /**
     * Returns whether long work must end early.
     *
     * @return whether the thread is interrupted; always false in a transaction
     */
    default boolean isInterrupted() {
        return kind() != Kind.TRANSACTION && Thread.currentThread().isInterrupted();
    }

    /**
     * Returns the loads in progress that a caller shares.
     *
     * @return those of the store; in a transaction others, because it blocks other writers, so it must not wait for their loads, which
     *     end with a write
     */
    SingleFlight loads();

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
