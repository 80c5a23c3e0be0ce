package dev.ttlstore.event;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An entry was put: it was created, or got a new value.
 *
 * @param sequence the place of the change in the history of the store
 * @param timestamp the store's time of the change
 * @param group the full name of the group
 * @param key the entry's key
 * @param version the entry's new version
 * @param created whether there was no live entry under the key before
 * @param expiresAt when the entry will expire; null if it does not
 */
public record EntryPut(
        long sequence,
        Instant timestamp,
        String group,
        String key,
        long version,
        boolean created,
        @Nullable Instant expiresAt)
        implements StoreEvent {

    /** Returns a text without the key, which may be a secret. */
    @Override
    public String toString() {
        return "EntryPut[sequence=" + sequence + ", timestamp=" + timestamp + ", group=" + group + ", version="
                + version + ", created=" + created + ", expiresAt=" + expiresAt + "]";
    }
}
