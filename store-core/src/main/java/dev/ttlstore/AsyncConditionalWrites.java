package dev.ttlstore;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The {@link ConditionalWrites} of a {@link Group} for callers that do not wait, with the rules of {@link AsyncGroup}.
 *
 * <pre>{@code
 * AsyncGroup<String> jobs = store.group("jobs").async();
 * jobs.putIfAbsent("report", "worker-1", Duration.ofMinutes(5))
 *         .thenAccept(version -> log.info(version.isPresent() ? "Mine" : "Another worker has it"));
 * }</pre>
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see AsyncGroup
 * @see ConditionalWrites
 */
public interface AsyncConditionalWrites<V> {

    /**
     * Puts a value if there is no live entry, as {@link ConditionalWrites#putIfAbsent(String, Object)} does.
     *
     * @param key the key
     * @param value the value
     * @return the new version; empty if the value was not put
     */
    default CompletableFuture<OptionalLong> putIfAbsent(String key, V value) {
        return putIfAbsent(key, value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl if there is no live entry, as {@link ConditionalWrites#putIfAbsent(String, Object, Duration)} does.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return the new version; empty if the value was not put
     */
    default CompletableFuture<OptionalLong> putIfAbsent(String key, V value, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> putIfAbsent(key, value, expiry));
    }

    /**
     * Puts a value with an expiry if there is no live entry, as
     * {@link ConditionalWrites#putIfAbsent(String, Object, Expiry)} does.
     *
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return the new version; empty if the value was not put
     */
    CompletableFuture<OptionalLong> putIfAbsent(String key, V value, Expiry expiry);

    /**
     * Returns the live value, or puts one, as {@link ConditionalWrites#getAndPutIfAbsent(String, Object)} does.
     *
     * @param key the key
     * @param value the value
     * @return the value that was there; empty if the new one was put
     */
    default CompletableFuture<Optional<V>> getAndPutIfAbsent(String key, V value) {
        return getAndPutIfAbsent(key, value, Expiry.groupDefault());
    }

    /**
     * Returns the live value, or puts one with a ttl, as {@link ConditionalWrites#getAndPutIfAbsent(String, Object, Duration)} does.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return the value that was there; empty if the new one was put
     */
    default CompletableFuture<Optional<V>> getAndPutIfAbsent(String key, V value, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> getAndPutIfAbsent(key, value, expiry));
    }

    /**
     * Returns the live value, or puts one with an expiry, as {@link ConditionalWrites#getAndPutIfAbsent(String, Object, Expiry)} does.
     *
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return the value that was there; empty if the new one was put
     */
    CompletableFuture<Optional<V>> getAndPutIfAbsent(String key, V value, Expiry expiry);

    /**
     * Replaces the value of a live entry, as {@link ConditionalWrites#putIfPresent(String, Object)} does.
     *
     * @param key the key
     * @param value the value
     * @return the new version; empty if the value was not put
     */
    default CompletableFuture<OptionalLong> putIfPresent(String key, V value) {
        return putIfPresent(key, value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl if there is a live entry, as {@link ConditionalWrites#putIfPresent(String, Object, Duration)} does.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return the new version; empty if the value was not put
     */
    default CompletableFuture<OptionalLong> putIfPresent(String key, V value, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> putIfPresent(key, value, expiry));
    }

    /**
     * Puts a value with an expiry if there is a live entry, as
     * {@link ConditionalWrites#putIfPresent(String, Object, Expiry)} does.
     *
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return the new version; empty if the value was not put
     */
    CompletableFuture<OptionalLong> putIfPresent(String key, V value, Expiry expiry);

    /**
     * Replaces an expected value, as {@link ConditionalWrites#replace(String, Object, Object)} does.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @return the new version; empty if the value was not put
     */
    default CompletableFuture<OptionalLong> replace(String key, V expected, V value) {
        return replace(key, expected, value, Expiry.groupDefault());
    }

    /**
     * Replaces an expected value by one with a ttl, as {@link ConditionalWrites#replace(String, Object, Object, Duration)} does.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @param ttl how long the entry lives
     * @return the new version; empty if the value was not put
     */
    default CompletableFuture<OptionalLong> replace(String key, V expected, V value, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> replace(key, expected, value, expiry));
    }

    /**
     * Replaces an expected value by one with an expiry, as
     * {@link ConditionalWrites#replace(String, Object, Object, Expiry)} does.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @param expiry when the entry expires
     * @return the new version; empty if the value was not put
     */
    CompletableFuture<OptionalLong> replace(String key, V expected, V value, Expiry expiry);

    /**
     * Replaces a value if its version is still the same, as {@link ConditionalWrites#replaceVersion(String, long, Object)} does.
     *
     * @param key the key
     * @param version the version that the caller has read or put
     * @param value the new value
     * @return the new version; empty if the value was not put
     */
    default CompletableFuture<OptionalLong> replaceVersion(String key, long version, V value) {
        return replaceVersion(key, version, value, Expiry.groupDefault());
    }

    /**
     * Replaces a value by one with a ttl if its version is still the same, as {@link ConditionalWrites#replaceVersion(String, long, Object, Duration)} does.
     *
     * @param key the key
     * @param version the version that the caller has read or put
     * @param value the new value
     * @param ttl how long the entry lives
     * @return the new version; empty if the value was not put
     */
    default CompletableFuture<OptionalLong> replaceVersion(String key, long version, V value, Duration ttl) {
        return AsyncExpiry.with(() -> Expiry.after(ttl), expiry -> replaceVersion(key, version, value, expiry));
    }

    /**
     * Replaces a value by one with an expiry if its version is still the same, as
     * {@link ConditionalWrites#replaceVersion(String, long, Object, Expiry)} does.
     *
     * @param key the key
     * @param version the version that the caller has read or put
     * @param value the new value
     * @param expiry when the entry expires
     * @return the new version; empty if the value was not put
     */
    CompletableFuture<OptionalLong> replaceVersion(String key, long version, V value, Expiry expiry);

    /**
     * Deletes an entry if it holds an expected value, as {@link ConditionalWrites#delete(String, Object)} does.
     *
     * @param key the key
     * @param expected the expected value
     * @return whether it was deleted
     */
    CompletableFuture<Boolean> delete(String key, V expected);

    /**
     * Deletes an entry if its version is still the same, as {@link ConditionalWrites#deleteVersion(String, long)} does.
     *
     * @param key the key
     * @param version the version that the caller has read or put
     * @return whether it was deleted
     */
    CompletableFuture<Boolean> deleteVersion(String key, long version);
}
