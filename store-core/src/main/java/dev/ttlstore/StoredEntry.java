package dev.ttlstore;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An entry as it is stored.
 *
 * @param group the full name of its group; for a group in a scope {@code namespace:name}
 * @param key its key
 * @param value the encoded value, possibly empty; sealed if its group is encrypted. Nobody may change the bytes
 * @param version its version; {@link StoredEntries#put} gives the entry a new one
 * @param createdAt when the entry was created
 * @param updatedAt when its value was last put
 * @param expiresAt the first instant at which it is gone; null if it does not expire
 * @since 0.1
 * @see StoredEntries
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredEntry(
        String group,
        String key,
        byte[] value,
        long version,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant expiresAt) {

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "StoredEntry[group=" + group + ", version=" + version + ", bytes=" + value.length + "]";
    }
}
