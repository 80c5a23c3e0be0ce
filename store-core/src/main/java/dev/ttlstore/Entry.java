package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A live entry, as it stood when it was read. Times are those of the store's clock, to the millisecond.
 *
 * @param key the key
 * @param value the value
 * @param version the number of the put that wrote the value; no other put of the store ever has the same
 * @param createdAt when the entry came into being; overwriting a live entry keeps it
 * @param updatedAt when the value was put
 * @param expiresAt the first instant at which the entry is gone; null if it does not expire
 * @param ttl what was left until then at the time of the read, never zero; null if the entry does not expire
 * @param <V> the type of the value
 */
public record Entry<V>(
        String key,
        V value,
        long version,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant expiresAt,
        @Nullable Duration ttl) {

    /** Tells everything but the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "Entry[version=" + version + ", createdAt=" + createdAt + ", updatedAt=" + updatedAt + ", expiresAt="
                + expiresAt + ", ttl=" + ttl + "]";
    }
}
