package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.ttlstore.exception.StoreClosedException;

/**
 * The writes of a {@link Group} for callers that do not wait. Many writes share a commit. A future completes once its
 * write is committed and the listeners have been called. It fails with the exception that the method of the same name
 * in {@link Group} throws. Cancelling a future does not stop its write. A {@linkplain LiveKeyspace#transact transaction}
 * does not wait for such writes of its caller, so wait for their futures before it begins.
 *
 * <p>The methods that select entries by range or age work in many small commits. A daemon thread of the store runs one
 * such method after another. The method includes all writes that its caller began before. Writes that the caller begins
 * later run beside it, so it may delete what they put. To begin a write after the method, use its future:
 *
 * <pre>{@code
 * AsyncGroup<String> drafts = store.group("drafts").async();
 * drafts.clear(KeyRange.prefix("a")).thenCompose(deleted -> drafts.put("a1", "new"));
 * }</pre>
 *
 * <p>Writes that wait for their commit use at most 16 MiB of memory. When that is full, the next caller waits, so no
 * caller can fill the heap. If there is no room within 30 seconds, the future fails with a {@link
 * dev.ttlstore.exception.StoreException}, and its write was not made. Listeners and dependents of a future do not wait.
 *
 * <p>If the store is closed, a method that works in many commits ends after its current commit, and its future fails
 * with a {@link StoreClosedException}.
 *
 * <p>A dependent of a future, such as the argument of {@code thenRun}, runs in a thread of the store's pool or in
 * {@link StoreBuilder#futureExecutor}. If the future is already complete, it runs in the thread that adds it. A
 * dependent may use the store. It may also block, but the pool has at most 1,024 threads: while all of them are
 * blocked, no other future of the store completes. Prefer {@code thenCompose} to waiting for another future. For
 * dependents that block for long, use the {@code Async} methods of the future with your own executor. If a dependent
 * throws, its own future fails with the exception, which is not logged. Futures also complete when the store is closed.
 * Closing does not wait for dependents. If the function of an update has not returned by then, the update's future
 * fails with a {@link StoreClosedException}.
 *
 * <p>Reads, and the methods of a whole {@link Keyspace} (a store or a scope), have no asynchronous form. Neither has
 * {@code getOrPut}, because it runs its loader in its caller's thread. A listener must not wait for a future, because the
 * future completes only after the listeners have returned. Thread-safe.
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see Group#async()
 * @see StoreBuilder#futureExecutor
 * @see AsyncCounters
 */
public interface AsyncGroup<V> extends AsyncBulkWrites<V>, AsyncConditionalWrites<V> {

    /**
     * Puts a value, as {@link Group#put(String, Object)} does.
     *
     * @param key the key
     * @param value the value
     * @return the new version
     */
    default CompletableFuture<Long> put(String key, V value) {
        return put(key, value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl, as {@link Group#put(String, Object, Duration)} does.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return the new version
     */
    default CompletableFuture<Long> put(String key, V value, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> put(key, value, expiry));
    }

    /**
     * Puts a value that expires at a time, as {@link Group#put(String, Object, Instant)} does.
     *
     * @param key the key
     * @param value the value
     * @param expiresAt when the entry expires
     * @return the new version
     */
    default CompletableFuture<Long> put(String key, V value, Instant expiresAt) {
        return AsyncExpiry.with(() -> Expiry.at(expiresAt), expiry -> put(key, value, expiry));
    }

    /**
     * Puts a value with an expiry, as {@link Group#put(String, Object, Expiry)} does.
     *
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return the new version
     */
    CompletableFuture<Long> put(String key, V value, Expiry expiry);

    /**
     * Puts a value and returns the one before, as {@link Group#getAndPut(String, Object)} does.
     *
     * @param key the key
     * @param value the value
     * @return the value before; empty if there was no live entry
     */
    default CompletableFuture<Optional<V>> getAndPut(String key, V value) {
        return getAndPut(key, value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl and returns the one before, as {@link Group#getAndPut(String, Object, Duration)} does.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return the value before; empty if there was no live entry
     */
    default CompletableFuture<Optional<V>> getAndPut(String key, V value, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> getAndPut(key, value, expiry));
    }

    /**
     * Puts a value with an expiry and returns the one before, as {@link Group#getAndPut(String, Object, Expiry)} does.
     *
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return the value before; empty if there was no live entry
     */
    CompletableFuture<Optional<V>> getAndPut(String key, V value, Expiry expiry);

    /**
     * Puts a value under a new key, as {@link Group#add(Object)} does.
     *
     * @param value the value
     * @return the key
     */
    default CompletableFuture<String> add(V value) {
        return add(value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl under a new key, as {@link Group#add(Object, Duration)} does.
     *
     * @param value the value
     * @param ttl how long the entry lives
     * @return the key
     */
    default CompletableFuture<String> add(V value, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> add(value, expiry));
    }

    /**
     * Puts a value with an expiry under a new key, as {@link Group#add(Object, Expiry)} does.
     *
     * @param value the value
     * @param expiry when the entry expires
     * @return the key
     */
    CompletableFuture<String> add(V value, Expiry expiry);

    /**
     * Replaces the live value by the result of a function, as {@link Group#update(String, UnaryOperator)} does. The
     * function runs in a thread of the store, and runs again if another writer was faster. So the update may come
     * after writes that its caller started later.
     *
     * @param key the key
     * @param change computes the new value from the current one
     * @return the value that was put; empty if there is no live entry
     */
    CompletableFuture<Optional<V>> update(String key, UnaryOperator<V> change);

    /**
     * Replaces or deletes the live entry, as {@link Group#updateOrDelete(String, Function)} and {@link #update} do.
     *
     * @param key the key
     * @param change computes the new value from the current one, or returns empty to delete the entry
     * @return the value that was put; empty if there is no live entry any more
     */
    CompletableFuture<Optional<V>> updateOrDelete(String key, Function<? super V, Optional<V>> change);

    /**
     * Deletes an entry, as {@link Group#delete(String)} does.
     *
     * @param key the key
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> delete(String key);

    /**
     * Deletes an entry and returns its value, as {@link Group#take(String)} does.
     *
     * @param key the key
     * @return the value; empty if there is no live entry
     */
    CompletableFuture<Optional<V>> take(String key);

    /**
     * Returns the live value and sets its ttl, as {@link Group#getAndExpire(String, Duration)} does.
     *
     * @param key the key
     * @param ttl how long the entry lives from now
     * @return the value; empty if there is no live entry
     */
    default CompletableFuture<Optional<V>> getAndExpire(String key, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> getAndExpire(key, expiry));
    }

    /**
     * Returns the live value and sets its expiry, as {@link Group#getAndExpire(String, Expiry)} does.
     *
     * @param key the key
     * @param expiry when the entry expires
     * @return the value; empty if there is no live entry
     */
    CompletableFuture<Optional<V>> getAndExpire(String key, Expiry expiry);

    /**
     * Sets the ttl of a live entry, as {@link Group#expire(String, Duration)} does.
     *
     * @param key the key
     * @param ttl how long the entry lives from now
     * @return whether there was a live entry
     */
    default CompletableFuture<Boolean> expire(String key, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> expire(key, expiry));
    }

    /**
     * Sets the expiry time of a live entry, as {@link Group#expire(String, Instant)} does.
     *
     * @param key the key
     * @param expiresAt when the entry expires
     * @return whether there was a live entry
     */
    default CompletableFuture<Boolean> expire(String key, Instant expiresAt) {
        return AsyncExpiry.with(() -> Expiry.at(expiresAt), expiry -> expire(key, expiry));
    }

    /**
     * Sets the expiry of a live entry, as {@link Group#expire(String, Expiry)} does.
     *
     * @param key the key
     * @param expiry when the entry expires
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> expire(String key, Expiry expiry);

    /**
     * Lets a live entry expire now, as {@link Group#expireNow(String)} does.
     *
     * @param key the key
     * @return whether there was a live entry
     */
    default CompletableFuture<Boolean> expireNow(String key) {
        return expire(key, Expiry.now());
    }

    /**
     * Makes a live entry permanent, as {@link Group#persist(String)} does.
     *
     * @param key the key
     * @return whether there was a live entry
     */
    default CompletableFuture<Boolean> persist(String key) {
        return expire(key, Expiry.never());
    }
}
