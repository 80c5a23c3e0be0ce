package dev.ttlstore;

import java.util.function.Function;

import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

/**
 * The part of a store that belongs to a namespace: a tenant, a module. Nothing in a scope sees, counts or touches what is
 * outside of it. A group of a scope lives in the store as {@code namespace:group}; within the scope, also in its events, it
 * goes by its own name. Thread-safe.
 */
public interface Scope extends Keyspace, ExpiryEvents {

    /**
     * The namespace.
     *
     * @return its name
     */
    String namespace();

    /**
     * What the namespace may take.
     *
     * @return the quota that was set last; {@link Quota#UNLIMITED} if none was
     */
    Quota quota();

    /**
     * What the living entries of the namespace take.
     *
     * @return the usage, exact at one moment
     */
    Usage usage();

    /**
     * Runs work in one transaction, limited to the namespace, as {@link Store#transact} does.
     *
     * @param work what to do
     * @return what it returned
     * @param <R> the type of the answer
     */
    <R> R transact(Function<Transaction, R> work);

    /**
     * Has a listener told of every change in the namespace from now on, as {@link Store#onChange} does.
     *
     * @param listener whom to tell
     * @return the subscription, to end it with
     */
    Subscription onChange(StoreListener listener);

    /**
     * Watches all changes in the namespace from now on, to be read at the reader's own pace.
     *
     * @return a watch with the default options; close it when it is read no more
     */
    Watch watch();

    /**
     * Watches all changes in the namespace from now on, as {@link #watch()} does.
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
     * Removes the rows of the namespace's entries that have expired by now, as {@link Store#purgeExpired} does.
     *
     * @return how many rows were removed
     */
    long purgeExpired();
}
