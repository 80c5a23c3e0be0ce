package dev.ttlstore;

import java.nio.file.Path;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreLockedException;

/**
 * A durable key-value store whose entries expire.
 *
 * <pre>{@code
 * try (Store store = Store.open(Path.of("app.db"))) {
 *     TextGroup config = store.group("config");
 *     config.put("theme", "dark");
 *     config.put("banner", "hello", Duration.ofMinutes(10));
 *     Optional<String> banner = config.get("banner");
 * }
 * }</pre>
 *
 * <p>A store is thread-safe and meant to be shared: open one for a file and close it at the end. The file belongs to one
 * process at a time.
 *
 * <p>After {@link #close()} every method throws {@link StoreClosedException}. A store that nobody closed and nobody can reach
 * any more, by itself or by one of its groups, scopes, open watches or subscriptions, is closed when the garbage collector
 * finds it, with a warning in the log.
 */
public interface Store extends Keyspace, ExpiryEvents, AutoCloseable {

    /**
     * Opens a store in a file, with the default settings of {@link StoreBuilder}. A file that does not exist is created,
     * with the folders above it.
     *
     * @param path the file
     * @return the store
     * @throws StoreLockedException if another process owns the file
     * @throws StoreFormatException if the file is no store
     * @throws StoreException if the file cannot be opened for another reason
     */
    static Store open(Path path) {
        return builder().path(path).open();
    }

    /**
     * Opens a store in memory, which is lost when it is closed: for tests, and for what need not last.
     *
     * @return the store
     */
    static Store inMemory() {
        return builder().inMemory().open();
    }

    /**
     * Begins to set up a store.
     *
     * @return a builder
     */
    static StoreBuilder builder() {
        return new StoreBuilder();
    }

    /**
     * The part of the store that belongs to a namespace, with the quota that was set for it, if one was.
     *
     * @param namespace the namespace: letters {@code a} to {@code z} in either case, digits and hyphens; case counts
     * @return the scope
     * @throws IllegalArgumentException if the namespace is not such
     */
    Scope scope(String namespace);

    /**
     * The part of the store that belongs to a namespace, and what it may take. The quota holds for every write to the
     * namespace from now on, whichever way it comes, until another is set; it is not kept with the data.
     *
     * @param namespace the namespace, as in {@link #scope(String)}
     * @param quota what it may take
     * @return the scope
     * @throws IllegalArgumentException if the namespace is not valid
     */
    Scope scope(String namespace, Quota quota);

    /**
     * Runs work in one transaction: all of its writes come to be, or, when it throws, none. It sees its own writes; others
     * see them, and listeners are told, when it is done. Other writers wait meanwhile, so it should be quick; readers don't.
     * The work must not wait for another thread that writes to the store, nor for a future of the store: both wait for it.
     *
     * <p>The work may run more than once, each time from the beginning: when an entry that it renews or replaces expires
     * before the commit, what it has done is dropped and it runs again, without that entry. So it must not change anything
     * outside the transaction. Reads are of the moment at which the run began; a ttl counts from the commit.
     *
     * <pre>{@code
     * store.transact(tx -> {
     *     Invite invite = tx.group("invites", Invite.class).take(key).orElseThrow();
     *     return tx.group("members", Member.class).add(invite.member());
     * });
     * }</pre>
     *
     * @param work what to do, with the transaction and not with the store: that is refused. What it throws is thrown
     * @return what it returned
     * @param <R> the type of the answer
     * @throws IllegalStateException within a transaction of this thread
     */
    <R> R transact(Function<Transaction, R> work);

    /**
     * Has a listener told of every change from now on.
     *
     * @param listener whom to tell
     * @return the subscription, to end it with
     */
    Subscription onChange(StoreListener listener);

    /**
     * Watches all changes from now on, to be read at the reader's own pace.
     *
     * @return a watch with the default options; close it when it is read no more
     */
    Watch watch();

    /**
     * Watches all changes from now on, as {@link #watch()} does.
     *
     * @param options how much the watch holds, and what it does when there is more
     * @return the watch
     */
    Watch watch(WatchOptions options);

    /**
     * Watches the changes of a group, as {@link #watch()} does.
     *
     * @param group the group's name, as in {@link #group(String)}; no character has a special meaning
     * @return the watch
     */
    Watch watch(String group);

    /**
     * Watches the changes of an entry, and deletions of its group, as {@link #watch()} does.
     *
     * @param group the group's name
     * @param key the key; no character has a special meaning
     * @return the watch
     */
    Watch watch(String group, String key);

    /**
     * Watches the changes of a group, as {@link #watch()} does.
     *
     * @param group the group's name
     * @param options how much the watch holds, and what it does when there is more
     * @return the watch
     */
    Watch watch(String group, WatchOptions options);

    /**
     * Watches the changes of an entry, and deletions of its group, as {@link #watch()} does.
     *
     * @param group the group's name
     * @param key the key
     * @param options how much the watch holds, and what it does when there is more
     * @return the watch
     */
    Watch watch(String group, String key, WatchOptions options);

    /**
     * Ends all watches, and every one that is opened later at its opening: for an application that stops, before it waits for
     * the readers of watches. What is in their buffers can still be read, and all else goes on until the store is closed. Does
     * nothing when it was called before, or when the store is closed.
     */
    void closeWatches();

    /**
     * Removes the rows of all entries that have expired by now, the oldest expiry first, in small commits between which
     * other writers get in. What it costs depends on what it removes, not on what the store holds. Nothing that can be seen
     * changes by it; the store does so by itself, too, at its purge interval. When it returns, listeners have been told of all
     * that had expired, whoever has found it; called by a listener, it does not wait for that.
     *
     * <p>When the calling thread is interrupted, the purge ends early and the thread's interrupt status stays set.
     *
     * @return how many rows were removed
     */
    long purgeExpired();

    /**
     * Where the store is.
     *
     * @return the absolute path of its file; null when it is in memory
     */
    @Nullable
    Path path();

    /**
     * Looks at the store. The cost grows with the number of entries.
     *
     * @return what there is to see
     */
    StoreStats stats();

    /**
     * Tells what the store has done since it was opened. Unlike {@link #stats} it costs next to nothing.
     *
     * @return the counts
     */
    StoreActivity activity();

    /**
     * Has an observer told how long the store's work takes from now on.
     *
     * @param observer whom to tell
     * @return the subscription, to end it with
     */
    Subscription observe(StoreObserver observer);

    /**
     * Reads and writes the store once, leaving nothing behind, and looks whether the store's own threads are running. One that
     * could not be started before is started.
     *
     * @throws StoreException if the store cannot be used, or does not do its work in the background, with the reason
     */
    void check();

    /**
     * Closes the store: lets running calls finish, then gives back the file. Listeners, transactions and expiry handlers that
     * are running are waited for, for {@link StoreBuilder#closeTimeout} at most. Closing again does nothing;
     * in another thread it waits until the store is closed, for as long at most.
     */
    @Override
    void close();
}
