package dev.ttlstore;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The writes of a {@link Group} that depend on what is stored, such as compare-and-set. If several callers race for an
 * entry, one of them wins. {@link Group} describes the rules for all its methods.
 *
 * <pre>{@code
 * TextGroup jobs = store.group("jobs");
 * OptionalLong claimed = jobs.putIfAbsent("report", "worker-1", Duration.ofMinutes(5));
 *
 * Entry<String> seen = jobs.entry("report").orElseThrow();
 * boolean mine = jobs.replaceVersion("report", seen.version(), "worker-2").isPresent();
 * }</pre>
 *
 * <p>A version is a number that no other put in the store has. So {@code replaceVersion} and {@code deleteVersion} are
 * safe even if the entry was deleted and put again meanwhile.
 *
 * @param <V> the type of the values
 * @since 0.1
 * @see Group
 * @see Entry#version()
 * @see WriteBatch
 */
public interface ConditionalWrites<V> {

    /**
     * Puts a value without a ttl if there is no live entry.
     *
     * @param key the key
     * @param value the value
     * @return the new version; empty if there is a live entry
     */
    default OptionalLong putIfAbsent(String key, V value) {
        return putIfAbsent(key, value, Expiry.groupDefault());
    }

    /**
     * Puts a value with a ttl if there is no live entry.
     *
     * @param key the key
     * @param value the value
     * @param ttl how long the entry lives
     * @return the new version; empty if there is a live entry
     */
    default OptionalLong putIfAbsent(String key, V value, Duration ttl) {
        return putIfAbsent(key, value, Expiry.after(ttl));
    }

    /**
     * Puts a value if there is no live entry.
     *
     * @param key the key
     * @param value the value
     * @param expiry when the entry expires
     * @return the new version; empty if there is a live entry
     */
    OptionalLong putIfAbsent(String key, V value, Expiry expiry);

    /**
     * Returns the live value, or puts one without a ttl if there is none.
     *
     * @param key the key
     * @param value the value to put
     * @return the value that was there; empty if the new one was put
     */
    default Optional<V> getAndPutIfAbsent(String key, V value) {
        return getAndPutIfAbsent(key, value, Expiry.groupDefault());
    }

    /**
     * Returns the live value, or puts one with a ttl if there is none.
     *
     * @param key the key
     * @param value the value to put
     * @param ttl how long a new entry lives
     * @return the value that was there; empty if the new one was put
     */
    default Optional<V> getAndPutIfAbsent(String key, V value, Duration ttl) {
        return getAndPutIfAbsent(key, value, Expiry.after(ttl));
    }

    /**
     * Returns the live value, or puts one if there is none.
     *
     * @param key the key
     * @param value the value to put
     * @param expiry when a new entry expires
     * @return the value that was there; empty if the new one was put
     */
    Optional<V> getAndPutIfAbsent(String key, V value, Expiry expiry);

    /**
     * Replaces the value of a live entry, without a ttl.
     *
     * @param key the key
     * @param value the new value
     * @return the new version; empty if there is no live entry
     */
    default OptionalLong putIfPresent(String key, V value) {
        return putIfPresent(key, value, Expiry.groupDefault());
    }

    /**
     * Replaces the value of a live entry, with a ttl.
     *
     * @param key the key
     * @param value the new value
     * @param ttl how long the entry lives
     * @return the new version; empty if there is no live entry
     */
    default OptionalLong putIfPresent(String key, V value, Duration ttl) {
        return putIfPresent(key, value, Expiry.after(ttl));
    }

    /**
     * Replaces the value of a live entry.
     *
     * @param key the key
     * @param value the new value
     * @param expiry when the entry expires
     * @return the new version; empty if there is no live entry
     */
    OptionalLong putIfPresent(String key, V value, Expiry expiry);

    /**
     * Replaces a value, without a ttl, if the live entry holds an expected one.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @return the new version; empty if the entry does not hold the expected value
     */
    default OptionalLong replace(String key, V expected, V value) {
        return replace(key, expected, value, Expiry.groupDefault());
    }

    /**
     * Replaces a value, with a ttl, if the live entry holds an expected one.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @param ttl how long the entry lives
     * @return the new version; empty if the entry does not hold the expected value
     */
    default OptionalLong replace(String key, V expected, V value, Duration ttl) {
        return replace(key, expected, value, Expiry.after(ttl));
    }

    /**
     * Replaces a value if the live entry holds an expected one.
     *
     * @param key the key
     * @param expected the expected value
     * @param value the new value
     * @param expiry when the entry expires
     * @return the new version; empty if the entry does not hold the expected value
     */
    OptionalLong replace(String key, V expected, V value, Expiry expiry);

    /**
     * Replaces a value, without a ttl, if no other value was put since the caller read or put the entry.
     *
     * @param key the key
     * @param version the version that an {@link Entry} or a put returned
     * @param value the new value
     * @return the new version; empty if the live entry does not have the expected one
     */
    default OptionalLong replaceVersion(String key, long version, V value) {
        return replaceVersion(key, version, value, Expiry.groupDefault());
    }

    /**
     * Replaces a value, with a ttl, if no other value was put since the caller read or put the entry.
     *
     * @param key the key
     * @param version the version that an {@link Entry} or a put returned
     * @param value the new value
     * @param ttl how long the entry lives
     * @return the new version; empty if the live entry does not have the expected one
     */
    default OptionalLong replaceVersion(String key, long version, V value, Duration ttl) {
        return replaceVersion(key, version, value, Expiry.after(ttl));
    }

    /**
     * Replaces a value if no other value was put since the caller read or put the entry.
     *
     * @param key the key
     * @param version the version that an {@link Entry} or a put returned
     * @param value the new value
     * @param expiry when the entry expires
     * @return the new version; empty if the live entry does not have the expected one
     */
    OptionalLong replaceVersion(String key, long version, V value, Expiry expiry);

    /**
     * Deletes an entry if it holds an expected value.
     *
     * @param key the key
     * @param expected the expected value
     * @return whether it was deleted
     */
    boolean delete(String key, V expected);

    /**
     * Deletes an entry if no other value was put since the caller read or put it.
     *
     * @param key the key
     * @param version the version that an {@link Entry} or a put returned
     * @return whether it was deleted
     */
    boolean deleteVersion(String key, long version);
}
