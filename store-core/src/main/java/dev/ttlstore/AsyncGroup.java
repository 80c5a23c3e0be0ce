package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * The writes of a {@link Group} for callers that do not wait. Many such writes share a commit. A future completes
 * once its write is committed and the listeners have been called. It fails with the exception that the method of the
 * same name in {@link Group} throws. Cancelling a future does not stop its write.
 *
 * <p>There is no asynchronous {@code sweep}, {@code expireAll} or {@code getOrPut}. A listener must not wait for a
 * future, because the future completes only after the listeners have returned. Thread-safe.
 *
 * @param <V> the type of the values
 */
public interface AsyncGroup<V> {

    /**
     * Puts a value, as {@link Group#put(String, Object)} does.
     *
     * @param key the key
     * @param value the value
     * @return completed when the value is put
     */
    CompletableFuture<@Nullable Void> put(String key, V value);

    /**
     * Puts a value with a ttl, as {@link Group#put(String, Object, Duration)} does.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return completed when the value is put
     */
    CompletableFuture<@Nullable Void> put(String key, V value, Duration ttl);

    /**
     * Puts a value that expires at a time, as {@link Group#put(String, Object, Instant)} does.
     *
     * @param key the key
     * @param value the value
     * @param expiresAt when the entry expires
     * @return completed when the value is put
     */
    CompletableFuture<@Nullable Void> put(String key, V value, Instant expiresAt);

    /**
     * Puts values, as {@link Group#putAll(Map)} does.
     *
     * @param values keys and values
     * @return completed when the values are put
     */
    CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values);

    /**
     * Puts values with a ttl, as {@link Group#putAll(Map, Duration)} does.
     *
     * @param values keys and values
     * @param ttl how long the entries live
     * @return completed when the values are put
     */
    CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Duration ttl);

    /**
     * Puts a value if there is no live entry, as {@link Group#putIfAbsent(String, Object)} does.
     *
     * @param key the key
     * @param value the value
     * @return whether the value was put
     */
    CompletableFuture<Boolean> putIfAbsent(String key, V value);

    /**
     * Puts a value with a ttl if there is no live entry, as {@link Group#putIfAbsent(String, Object, Duration)} does.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    CompletableFuture<Boolean> putIfAbsent(String key, V value, Duration ttl);

    /**
     * Replaces the live value with the result of a function, as {@link Group#update(String, UnaryOperator)} does. The
     * function runs in a thread of the store, and runs again if another writer was faster. So the update may come
     * after writes that its caller started later.
     *
     * @param key the key
     * @param change computes the new value from the current one
     * @return the value that was put; empty if there is no live entry
     */
    CompletableFuture<Optional<V>> update(String key, UnaryOperator<V> change);

    /**
     * Puts a value under a new key, as {@link Group#add(Object)} does.
     *
     * @param value the value
     * @return the key
     */
    CompletableFuture<String> add(V value);

    /**
     * Puts a value with a ttl under a new key, as {@link Group#add(Object, Duration)} does.
     *
     * @param value the value
     * @param ttl how long the entry lives
     * @return the key
     */
    CompletableFuture<String> add(V value, Duration ttl);

    /**
     * Replaces an expected value, as {@link Group#replace(String, Object, Object)} does.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @return whether the value was put
     */
    CompletableFuture<Boolean> replace(String key, V expected, V value);

    /**
     * Replaces an expected value, with a ttl, as {@link Group#replace(String, Object, Object, Duration)} does.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    CompletableFuture<Boolean> replace(String key, V expected, V value, Duration ttl);

    /**
     * Replaces a value if its version is still the same, as {@link Group#replaceVersion(String, long, Object)} does.
     *
     * @param key the key
     * @param version the version that the caller has read
     * @param value the new value
     * @return whether the value was put
     */
    CompletableFuture<Boolean> replaceVersion(String key, long version, V value);

    /**
     * Replaces a value, with a ttl, if its version is still the same, as
     * {@link Group#replaceVersion(String, long, Object, Duration)} does.
     *
     * @param key the key
     * @param version the version that the caller has read
     * @param value the new value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    CompletableFuture<Boolean> replaceVersion(String key, long version, V value, Duration ttl);

    /**
     * Deletes an entry, as {@link Group#delete(String)} does.
     *
     * @param key the key
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> delete(String key);

    /**
     * Deletes an entry if it holds an expected value, as {@link Group#delete(String, Object)} does.
     *
     * @param key the key
     * @param expected the expected value
     * @return whether it was deleted
     */
    CompletableFuture<Boolean> delete(String key, V expected);

    /**
     * Deletes an entry if its version is still the same, as {@link Group#deleteVersion(String, long)} does.
     *
     * @param key the key
     * @param version the version that the caller has read
     * @return whether it was deleted
     */
    CompletableFuture<Boolean> deleteVersion(String key, long version);

    /**
     * Deletes an entry and returns its value, as {@link Group#take(String)} does.
     *
     * @param key the key
     * @return the value; empty if there is no live entry
     */
    CompletableFuture<Optional<V>> take(String key);

    /**
     * Deletes all entries, as {@link Group#clear()} does.
     *
     * @return how many live entries there were
     */
    CompletableFuture<Long> clear();

    /**
     * Sets the ttl of a live entry, as {@link Group#expire(String, Duration)} does.
     *
     * @param key the key
     * @param ttl how long the entry lives from now
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> expire(String key, Duration ttl);

    /**
     * Sets the expiry time of a live entry, as {@link Group#expire(String, Instant)} does.
     *
     * @param key the key
     * @param expiresAt when the entry expires
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> expire(String key, Instant expiresAt);

    /**
     * Makes a live entry permanent, as {@link Group#persist(String)} does.
     *
     * @param key the key
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> persist(String key);
}
