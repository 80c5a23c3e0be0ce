package dev.ttlstore.expiry;

import java.time.Instant;

/**
 * An entry that has expired, as it was.
 *
 * @param group the group, by the name that it has where its subscriber subscribed: in a scope, without the namespace
 * @param key the entry's key
 * @param value its value; null if the type is {@link Void}, for a handler that does without, and never otherwise
 * @param version the version that it had, which no other entry ever has
 * @param expiresAt when it expired
 * @param attempt how many times its handler has been called for it, with this call; 1 unless one has failed
 * @param <V> the type of the value, or {@link Void}
 */
public record ExpiredEntry<V>(String group, String key, V value, long version, Instant expiresAt, int attempt) {

    /** Tells neither the key nor the value, which may be secrets. */
    @Override
    public String toString() {
        return "ExpiredEntry[group=" + group + ", version=" + version + ", expiresAt=" + expiresAt + ", attempt="
                + attempt + "]";
    }
}
