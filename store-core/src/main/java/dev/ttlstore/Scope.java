package dev.ttlstore;

import java.util.function.Function;

import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

/**
 * The part of a store that belongs to a namespace, such as a tenant or a module. A scope cannot see, count or change
 * anything outside of its namespace. The store knows a group of a scope as {@code namespace:group}. Within the scope,
 * also in its events, the group has its own name. Thread-safe.
 */
public interface Scope extends Keyspace, ExpiryEvents {

    /**
     * Returns the namespace.
     *
     * @return its name
     */
    String namespace();

    /**
     * Returns the quota of the namespace.
     *
     * @return the quota that was set last; {@link Quota#UNLIMITED} if none was
     */
    Quota quota();

    /**
     * Returns the amounts that the live entries of the namespace use.
     *
     * @return the usage, exact as of one moment
     */
    Usage usage();

    /**
     * Runs work in one transaction on the namespace, as {@link Store#transact} does.
     *
     * @param work the work
     * @return what the work returned
     * @param <R> the type of the answer
     */
    <R> R transact(Function<Transaction, R> work);

    /**
     * Registers a listener for all later changes in the namespace, as {@link Store#onChange} does.
     *
     * @param listener the listener
     * @return the subscription; close it to stop the calls
     */
    Subscription onChange(StoreListener listener);

    /**
     * Opens a watch on all later changes in the namespace, which the reader reads at its own pace.
     *
     * @return a watch with the default options; close it after use
     */
    Watch watch();

    /**
     * Opens a watch on all later changes in the namespace, as {@link #watch()} does.
     *
     * @param options the capacity of the buffer, and what happens if it is full
     * @return the watch
     */
    Watch watch(WatchOptions options);

    /**
     * Opens a watch on the changes of a group, as {@link #watch()} does.
     *
     * @param group the group's name, as in {@link #group(String)}; no character has a special meaning
     * @return the watch
     */
    Watch watch(String group);

    /**
     * Opens a watch on the changes of an entry and the deletions of its group, as {@link #watch()} does.
     *
     * @param group the group's name
     * @param key the key; no character has a special meaning
     * @return the watch
     */
    Watch watch(String group, String key);

    /**
     * Opens a watch on the changes of a group, as {@link #watch()} does.
     *
     * @param group the group's name
     * @param options the capacity of the buffer, and what happens if it is full
     * @return the watch
     */
    Watch watch(String group, WatchOptions options);

    /**
     * Opens a watch on the changes of an entry and the deletions of its group, as {@link #watch()} does.
     *
     * @param group the group's name
     * @param key the key
     * @param options the capacity of the buffer, and what happens if it is full
     * @return the watch
     */
    Watch watch(String group, String key, WatchOptions options);

    /**
     * Deletes the rows of the namespace's entries that have expired by now, as {@link Store#purgeExpired} does.
     *
     * @return how many rows were deleted
     */
    long purgeExpired();
}
