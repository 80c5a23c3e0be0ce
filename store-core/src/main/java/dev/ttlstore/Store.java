package dev.ttlstore;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreLockedException;
import dev.ttlstore.expiry.ExpiryHandler;

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
 * <p>A store is thread-safe and meant to be shared: open one per file, and close it at the end. One process at a time
 * owns the file.
 *
 * <p>After {@link #close()}, every method throws {@link StoreClosedException}. If a store is never closed and becomes
 * unreachable, together with its groups, scopes, open watches and subscriptions, the garbage collector closes it and
 * logs a warning.
 */
public interface Store extends LiveKeyspace, AutoCloseable {

    /**
     * Opens a store in a file, with the default settings of {@link StoreBuilder}. Creates the file and missing folders
     * above it.
     *
     * @param path the file
     * @return the store
     * @throws StoreLockedException if another process owns the file
     * @throws StoreFormatException if the file is not a store
     * @throws StoreException if the file cannot be opened for another reason
     */
    static Store open(Path path) {
        return builder().path(path).open();
    }

    /**
     * Opens a store in memory, for tests and data that need not last. Its data is lost when it is closed.
     *
     * @return the store
     */
    static Store inMemory() {
        return builder().inMemory().open();
    }

    /**
     * Returns a builder to configure a store with.
     *
     * @return the builder
     */
    static StoreBuilder builder() {
        return new StoreBuilder();
    }

    /**
     * Returns the part of the store that belongs to a namespace. A quota that was set for the namespace applies.
     *
     * @param namespace the namespace: letters {@code a} to {@code z} in either case, digits and hyphens; case counts
     * @return the scope
     * @throws IllegalArgumentException if the namespace is empty, or has other characters
     */
    Scope scope(String namespace);

    /**
     * Sets the quota of a namespace, and returns the part of the store that belongs to it. The quota applies to every
     * later write to the namespace, through any scope or the store, until another quota is set. It is not stored with
     * the data.
     *
     * @param namespace the namespace, as in {@link #scope(String)}
     * @param quota the limits
     * @return the scope
     * @throws IllegalArgumentException if the namespace is not valid
     */
    Scope scope(String namespace, Quota quota);

    /**
     * Closes all watches, and each later one as it opens. An application that stops calls this before it waits for the
     * readers of watches. Buffered signals can still be read as after {@link dev.ttlstore.event.Watch#close}, and
     * everything else works until the store is closed. Does nothing if it was called before, or if the store is closed.
     */
    void closeWatches();

    /**
     * Registers a durable handler for each entry that expires in a group that matches a pattern, such as
     * {@code *:secrets} for the group {@code secrets} of every scope. Everything else is as in
     * {@link ExpiryEvents#onExpired(String, String, Class, ExpiryHandler)}. Only the expiries of matching groups are
     * recorded. {@code ExpiredEntry.group()} is the full name, so it has the namespace of the scope.
     *
     * @param subscriber the name of the subscriber, as in {@link #onExpired(String, String, ExpiryHandler)}
     * @param groups the groups
     * @param type the class of the values; {@code Void.class} for entries without their values
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     * @throws CodecException if there is no codec for the class
     */
    <V> Subscription onExpiredMatching(String subscriber, GroupPattern groups, Class<V> type, ExpiryHandler<V> handler);

    /**
     * Registers a durable handler for each entry that expires in a group that matches a pattern, as
     * {@link #onExpiredMatching(String, GroupPattern, Class, ExpiryHandler)} does, with values of a generic type.
     *
     * @param subscriber the name of the subscriber
     * @param groups the groups
     * @param type the type of the values, as in {@link #group(String, TypeRef)}
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     * @throws CodecException if there is no codec for the type
     */
    <V> Subscription onExpiredMatching(
            String subscriber, GroupPattern groups, TypeRef<V> type, ExpiryHandler<V> handler);

    /**
     * Registers a durable handler for each entry that expires in a group that matches a pattern, as
     * {@link #onExpiredMatching(String, GroupPattern, Class, ExpiryHandler)} does.
     *
     * @param subscriber the name of the subscriber
     * @param groups the groups
     * @param codec decodes the values
     * @param handler the handler
     * @return the subscription
     * @param <V> the type of the values
     * @throws IllegalStateException if the subscriber already has a handler, or is being removed
     */
    <V> Subscription onExpiredMatching(
            String subscriber, GroupPattern groups, Codec<V> codec, ExpiryHandler<V> handler);

    /**
     * Returns the path of the store's file.
     *
     * @return the absolute path; null if the store is in memory
     */
    @Nullable
    Path path();

    /**
     * Returns figures about the stored data. The cost grows with the number of entries.
     *
     * @return the figures
     */
    StoreStats stats();

    /**
     * Returns counts of what the store has done since it was opened. Unlike {@link #stats}, it costs next to nothing.
     *
     * @return the counts
     */
    StoreActivity activity();

    /**
     * Registers an observer that measures the store's later work.
     *
     * @param observer the observer
     * @return the subscription; close it to stop the calls
     */
    Subscription observe(StoreObserver observer);

    /**
     * Checks the store: reads and writes it once, which leaves nothing behind, and checks that its own threads are
     * running. Starts a thread that could not be started before.
     *
     * @throws StoreException if the store cannot be used or does not do its background work, with the reason
     */
    void check();

    /**
     * Closes the store: lets running calls finish, and releases the file. Waits for running listeners, transactions
     * and expiry handlers, for at most {@link StoreBuilder#closeTimeout}. Another call does nothing; in another
     * thread, it waits until the store is closed, for at most the same time.
     */
    @Override
    void close();
}
