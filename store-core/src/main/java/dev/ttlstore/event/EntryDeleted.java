package dev.ttlstore.event;

import java.time.Instant;

/**
 * A caller removed a live entry: it was deleted or taken.
 *
 * @param sequence the place of the change in the history of the store
 * @param timestamp the store's time of the change
 * @param group the name of the group, as in {@link StoreEvent#group()}
 * @param key the entry's key
 * @param version the version that the entry had
 * @since 0.1
 * @see StoreEvent
 * @see GroupDeleted
 */
public record EntryDeleted(long sequence, Instant timestamp, String group, String key, long version)
        implements StoreEvent {

    @Override
    public String type() {
        return "delete";
    }

    /** Returns a text without the key, which may be a secret. */
    @Override
    public String toString() {
        return "EntryDeleted[sequence=" + sequence + ", timestamp=" + timestamp + ", group=" + group + ", version="
                + version + "]";
    }
}
