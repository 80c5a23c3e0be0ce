package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * The writes of a {@link Group} for callers who don't wait: many of them share a commit. A future is completed when its
 * write is committed and the listeners have been told. It fails with what the method of the same name in {@link Group}
 * throws. Walks over a whole group ({@code sweep}, {@code expireAll}) and loads are not among them. A write that was begun
 * is made even if its future is cancelled. A listener must not wait for a future: it is completed when the listeners have
 * been told. Thread-safe.
 *
 * @param <V> the type of the values
 */
public interface AsyncGroup<V> {

    /**
     * As {@link Group#put(String, Object)}.
     *
     * @param key the key
     * @param value the value
     * @return completed when the value is put
     */
    CompletableFuture<@Nullable Void> put(String key, V value);

    /**
     * As {@link Group#put(String, Object, Duration)}.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return completed when the value is put
     */
    CompletableFuture<@Nullable Void> put(String key, V value, Duration ttl);

    /**
     * As {@link Group#put(String, Object, Instant)}.
     *
     * @param key the key
     * @param value the value
     * @param expiresAt the first instant at which the entry is gone
     * @return completed when the value is put
     */
    CompletableFuture<@Nullable Void> put(String key, V value, Instant expiresAt);

    /**
     * As {@link Group#putAll(Map)}.
     *
     * @param values keys and values
     * @return completed when the values are put
     */
    CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values);

    /**
     * As {@link Group#putAll(Map, Duration)}.
     *
     * @param values keys and values
     * @param ttl how long the entries live
     * @return completed when the values are put
     */
    CompletableFuture<@Nullable Void> putAll(Map<String, ? extends V> values, Duration ttl);

    /**
     * As {@link Group#putIfAbsent(String, Object)}.
     *
     * @param key the key
     * @param value the value
     * @return whether the value was put
     */
    CompletableFuture<Boolean> putIfAbsent(String key, V value);

    /**
     * As {@link Group#putIfAbsent(String, Object, Duration)}.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    CompletableFuture<Boolean> putIfAbsent(String key, V value, Duration ttl);

    /**
     * As {@link Group#update(String, UnaryOperator)}. The function is called in a thread of the store's, and again when
     * somebody else was faster; so it may come behind writes that its caller began later.
     *
     * @param key the key
     * @param change from the value that stands to the one to put
     * @return the value that was put; empty if there is no live entry
     */
    CompletableFuture<Optional<V>> update(String key, UnaryOperator<V> change);

    /**
     * As {@link Group#add(Object)}.
     *
     * @param value the value
     * @return the key
     */
    CompletableFuture<String> add(V value);

    /**
     * As {@link Group#add(Object, Duration)}.
     *
     * @param value the value
     * @param ttl how long the entry lives
     * @return the key
     */
    CompletableFuture<String> add(V value, Duration ttl);

    /**
     * As {@link Group#replace(String, Object, Object)}.
     *
     * @param key the key
     * @param expected the value that must stand there
     * @param value the value
     * @return whether the value was put
     */
    CompletableFuture<Boolean> replace(String key, V expected, V value);

    /**
     * As {@link Group#replace(String, Object, Object, Duration)}.
     *
     * @param key the key
     * @param expected the value that must stand there
     * @param value the value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    CompletableFuture<Boolean> replace(String key, V expected, V value, Duration ttl);

    /**
     * As {@link Group#replaceVersion(String, long, Object)}.
     *
     * @param key the key
     * @param version the version that was read
     * @param value the value
     * @return whether the value was put
     */
    CompletableFuture<Boolean> replaceVersion(String key, long version, V value);

    /**
     * As {@link Group#replaceVersion(String, long, Object, Duration)}.
     *
     * @param key the key
     * @param version the version that was read
     * @param value the value
     * @param ttl how long the entry lives
     * @return whether the value was put
     */
    CompletableFuture<Boolean> replaceVersion(String key, long version, V value, Duration ttl);

    /**
     * As {@link Group#delete(String)}.
     *
     * @param key the key
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> delete(String key);

    /**
     * As {@link Group#delete(String, Object)}.
     *
     * @param key the key
     * @param expected the value that must stand there
     * @return whether it was removed
     */
    CompletableFuture<Boolean> delete(String key, V expected);

    /**
     * As {@link Group#deleteVersion(String, long)}.
     *
     * @param key the key
     * @param version the version that was read
     * @return whether it was removed
     */
    CompletableFuture<Boolean> deleteVersion(String key, long version);

    /**
     * As {@link Group#take(String)}.
     *
     * @param key the key
     * @return the value; empty if there is no live entry
     */
    CompletableFuture<Optional<V>> take(String key);

    /**
     * As {@link Group#clear()}.
     *
     * @return how many live entries there were
     */
    CompletableFuture<Long> clear();

    /**
     * As {@link Group#expire(String, Duration)}.
     *
     * @param key the key
     * @param ttl how long the entry lives from now
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> expire(String key, Duration ttl);

    /**
     * As {@link Group#expire(String, Instant)}.
     *
     * @param key the key
     * @param expiresAt when it shall be gone
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> expire(String key, Instant expiresAt);

    /**
     * As {@link Group#persist(String)}.
     *
     * @param key the key
     * @return whether there was a live entry
     */
    CompletableFuture<Boolean> persist(String key);
}
