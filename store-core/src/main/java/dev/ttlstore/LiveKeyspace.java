package dev.ttlstore;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

/**
 * A {@link Store} or a {@link Scope}: the committed data, with transactions, listeners, watches and handlers for
 * expired entries. Thread-safe.
 *
 * @since 0.1
 * @see Store
 * @see Scope
 * @see Transaction
 * @see dev.ttlstore.event.Watch
 */
public interface LiveKeyspace extends Keyspace, ExpiryEvents {

    /**
     * Runs work in one transaction. All of its writes are committed, or, if it throws, all are rolled back. The work
     * sees its own writes. Others see them after the commit, which also calls the listeners. Other writers wait until
     * the transaction ends, so keep it short. Readers do not wait. The work must not wait for another thread that
     * writes to the store, nor for a future of the store, because both wait for the transaction.
     *
     * <p>The work may run more than once. If an entry that it renews or replaces expires before the commit, its writes
     * are rolled back and it runs again from the beginning, without that entry. If other processes share the data, it
     * also runs again if one of them has changed what the work has read. So it must not change anything outside the
     * transaction. Each run reads a snapshot of the moment when it began. A ttl counts from the commit.
     *
     * <pre>{@code
     * store.transact(tx -> {
     *     Invite invite = tx.group("invites", Invite.class).take(key).orElseThrow();
     *     return tx.group("members", Member.class).add(invite.member());
     * });
     * }</pre>
     *
     * @param work the work, which must use the transaction: the store refuses calls from it
     * @return what the work returned, which may be null
     * @param <R> the type of the answer
     * @throws IllegalStateException within a transaction of this thread
     */
    default <R extends @Nullable Object> R transact(Function<Transaction, R> work) {
        Objects.requireNonNull(work, "'work' must not be null");
        return this.<R, RuntimeException>transactChecked(work::apply);
    }

    /**
     * Runs work without an answer in one transaction, as {@link #transact} does.
     *
     * @param action the work, which must use the transaction
     * @throws IllegalStateException within a transaction of this thread
     */
    default void transactWithoutResult(Consumer<Transaction> action) {
        Objects.requireNonNull(action, "'action' must not be null");
        this.<RuntimeException>transactCheckedWithoutResult(action::accept);
    }

    /**
     * Runs work that throws checked exceptions in one transaction, as {@link #transact} does.
     *
     * @param work the work, which must use the transaction
     * @return what the work returned, which may be null
     * @param <R> the type of the answer
     * @param <X> the checked exception that the work throws
     * @throws X if the work throws it, as is
     * @throws IllegalStateException within a transaction of this thread
     */
    <R extends @Nullable Object, X extends Exception> R transactChecked(Transaction.Work<R, X> work) throws X;

    /**
     * Runs work without an answer that throws checked exceptions in one transaction, as {@link #transact} does.
     *
     * @param action the work, which must use the transaction
     * @param <X> the checked exception that the work throws
     * @throws X if the work throws it, as is
     * @throws IllegalStateException within a transaction of this thread
     */
    default <X extends Exception> void transactCheckedWithoutResult(Transaction.Action<X> action) throws X {
        Objects.requireNonNull(action, "'action' must not be null");
        boolean unused = this.<Boolean, X>transactChecked(tx -> {
            action.run(tx);
            return true;
        });
    }

    /**
     * Returns the same entries outside the transaction of the application: what is read or written through the returned object takes
     * no part in the transaction that the calling thread is in. A write is committed when it returns, also if that transaction only
     * reads, and stays if it is rolled back. For what belongs to no transaction, such as caches, locks and counts of failed logins.
     * It makes a difference only on PostgreSQL, and only if the store joins such transactions. Everything else is the same object.
     *
     * <p>Once the commit of the transaction has begun, it has locks. A write that would wait for one throws a {@link
     * dev.ttlstore.exception.StoreException}: one to a group that the transaction writes, or to one that shares its lock.
     *
     * @return the entries; keep the object, or the groups that it returns
     */
    LiveKeyspace outsideTransaction();

    /**
     * Registers a listener for all later changes.
     *
     * @param listener the listener
     * @return the subscription; close it to stop the calls
     */
    Subscription onChange(StoreListener listener);

    /**
     * Opens a watch on all later changes, which the reader reads at its own pace.
     *
     * @return a watch with the default options; close it after use
     */
    default Watch watch() {
        return watch(WatchOptions.defaults());
    }

    /**
     * Opens a watch, as {@link #watch()} does, on the changes that the options select.
     *
     * @param options what to watch, from where on, the capacity of the buffer, and what happens if it is full
     * @return the watch
     */
    Watch watch(WatchOptions options);

    /**
     * Opens a watch on the changes of a group, as {@link #watch()} does.
     *
     * @param group the group's name, as in {@link #group(String)}; no character has a special meaning
     * @return the watch
     */
    default Watch watch(String group) {
        return watch(WatchOptions.defaults().ofGroup(group));
    }

    /**
     * Opens a watch on the changes of an entry and the deletions of its group, as {@link #watch()} does.
     *
     * @param group the group's name
     * @param key the key; no character has a special meaning
     * @return the watch
     */
    default Watch watch(String group, String key) {
        return watch(WatchOptions.defaults().ofGroup(group).ofKey(key));
    }

    /**
     * Deletes the rows of all entries that have expired by now, the earliest expiry first, in small commits that let
     * other writers in between. The cost depends on the number of deleted rows, not on the size of the store. No read
     * notices a purge. The store also purges on its own, at its purge interval. On return, listeners have been called
     * for everything that had expired, no matter which thread has found it, except for what another process is purging.
     * A listener that calls this method does not wait for that.
     *
     * <p>A purge then deletes the live entries of groups with a {@link GroupSettings#maxAge maximum age} that have
     * reached it, the oldest first, and publishes an {@code EntryDeleted} event for each. The cost depends on their
     * number.
     *
     * <p>An interrupt of the calling thread ends the purge early; the thread's interrupt status stays set.
     *
     * @return how many rows of expired entries were deleted
     */
    long purgeExpired();
}
