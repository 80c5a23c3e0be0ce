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
 * The committed data of a {@link Store} or a {@link Scope}, with transactions, listeners, watches and handlers for
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
     * Runs work in one transaction. The store commits all its writes, or rolls all back if the work throws. The work
     * sees its own writes. Others see them after the commit, when the store also calls the listeners. Other writers
     * wait until the transaction ends, so keep it short. Readers do not wait. The work must not wait for another thread
     * that writes to the store, or for a future of the store, because both wait for the transaction.
     *
     * <p>The work may run more than once, so it must not change anything outside the transaction. If an entry that it
     * renews or replaces expires before the commit, the store rolls back and runs the work again, without that entry.
     * If other processes share the data, the store also runs the work again if one of them has changed what it has
     * read. Each run reads a snapshot of the moment when it began. A ttl counts from the commit.
     *
     * <pre>{@code
     * record Member(String name) {}
     *
     * record Invite(Member member) {}
     *
     * String join(String token) {
     *     return store.transact(tx -> {
     *         Invite invite = tx.group("invites", Invite.class).take(token).orElseThrow();
     *         return tx.group("members", Member.class).add(invite.member());
     *     });
     * }
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
     * Returns the same entries outside the application's transaction. Reads and writes through the returned object take
     * no part in the transaction of the calling thread. A write is committed when it returns, even if that transaction
     * is read-only, and it stays if that transaction rolls back. Use this for caches, locks and counts of failed
     * logins. It makes a difference only on PostgreSQL, if the store joins such transactions. Otherwise this method
     * returns the same object.
     *
     * <p>When the transaction commits, it locks the groups that it writes. From then on, a write through the returned
     * object to such a group, or to a group that shares its lock, throws a {@link
     * dev.ttlstore.exception.StoreException} instead of waiting.
     *
     * @return the entries; keep the object, or the groups that it returns
     */
    LiveKeyspace outsideTransaction();

    /**
     * Registers a listener for all changes from now on.
     *
     * @param listener the listener
     * @return the subscription; close it to stop the calls
     */
    Subscription onChange(StoreListener listener);

    /**
     * Opens a watch on all changes from now on. Its reader takes them at its own pace.
     *
     * @return a watch with the default options; close it after use
     */
    default Watch watch() {
        return watch(WatchOptions.defaults());
    }

    /**
     * Opens a watch, as {@link #watch()} does, on the changes that the options select.
     *
     * @param options what to watch, where to start, the capacity of the buffer, and what happens if the buffer is full
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
     * Deletes the rows of all expired entries, the earliest expiry first, in small commits with other writers in
     * between. The cost depends on the number of deleted rows, not on the size of the store. A purge changes no result
     * of a read. The store also purges on its own, at its purge interval. When this method returns, the listeners have
     * been called for every entry that had expired, except for those that another process is purging. If a listener
     * calls this method, it does not wait for listeners.
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
