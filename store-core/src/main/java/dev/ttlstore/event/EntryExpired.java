package dev.ttlstore.event;

import java.time.Instant;

/**
 * An expired entry was removed. The entry has been invisible since {@code expiresAt}. The event is published exactly
 * once, when a purge or a write to the same key finds the expired row.
 *
 * @param sequence the place of the change in the history of the store
 * @param timestamp the store's time of the removal
 * @param group the name of the group, as in {@link StoreEvent#group()}
 * @param key the entry's key
 * @param version the version that the entry had
 * @param expiresAt when the entry expired
 * @since 0.1
 * @see StoreEvent
 * @see dev.ttlstore.ExpiryEvents
 */
public record EntryExpired(long sequence, Instant timestamp, String group, String key, long version, Instant expiresAt)
        implements StoreEvent {

    @Override
    public String type() {
        return "expire";
    }

    /** Returns a text without the key, which may be a secret. */
    @Override
    public String toString() {
        return "EntryExpired[sequence=" + sequence + ", timestamp=" + timestamp + ", group=" + group + ", version="
                + version + ", expiresAt=" + expiresAt + "]";
    }
}
