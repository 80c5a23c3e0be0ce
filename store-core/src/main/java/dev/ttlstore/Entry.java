package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A live entry, as it was when it was read. Times come from the store's clock, to the millisecond.
 *
 * @param key the key
 * @param value the value
 * @param version the number of the put that wrote the value; unique within the store
 * @param createdAt when the entry was created; overwriting a live entry does not change it
 * @param updatedAt when the value was put. In the day after the store's clock has leapt ahead by more than a day, also
 *     when the expiry was changed
 * @param expiresAt the first instant at which the entry is gone; null if it does not expire
 * @param ttl the time left until then at the moment of the read, never zero; null if the entry does not expire
 * @param <V> the type of the value
 * @since 0.1
 * @see Group#entry(String)
 * @see Expiry
 * @see ExpiringEntry
 */
public record Entry<V>(
        String key,
        V value,
        long version,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant expiresAt,
        @Nullable Duration ttl) {

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "Entry[version=" + version + ", createdAt=" + createdAt + ", updatedAt=" + updatedAt + ", expiresAt="
                + expiresAt + ", ttl=" + ttl + "]";
    }
}
