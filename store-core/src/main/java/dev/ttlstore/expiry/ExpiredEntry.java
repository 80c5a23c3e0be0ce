package dev.ttlstore.expiry;

import java.time.Instant;

/**
 * An expired entry, as a handler receives it.
 *
 * @param group the group, by the name that the subscriber used; in a scope without the namespace
 * @param key the entry's key
 * @param value its value; null only if the type is {@link Void}, as a handler that needs no value declares it
 * @param version the version that it had; no other entry ever has the same
 * @param expiresAt when it expired
 * @param attempt how many times the handler has been called for it, including this call; 1 unless an attempt has
 *     failed
 * @param <V> the type of the value, or {@link Void}
 * @since 0.1
 * @see ExpiryHandler
 */
public record ExpiredEntry<V>(String group, String key, V value, long version, Instant expiresAt, int attempt) {

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "ExpiredEntry[group=" + group + ", version=" + version + ", expiresAt=" + expiresAt + ", attempt="
                + attempt + "]";
    }
}
