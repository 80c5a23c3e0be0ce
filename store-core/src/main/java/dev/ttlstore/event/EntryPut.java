package dev.ttlstore.event;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * An entry was put: it was created, or got a new value.
 *
 * <p>The value is there only for receivers that have asked for it: with {@link WatchOptions#withValues()}, with {@link
 * StoreListener#withValues}, or for a whole group with {@code GroupSettings.withEventValues(true)}. {@code
 * Group.valueOf} decodes it.
 *
 * @param sequence the place of the change in the history of the store
 * @param timestamp the store's time of the change
 * @param group the name of the group, as in {@link StoreEvent#group()}
 * @param key the entry's key
 * @param version the entry's new version
 * @param created whether there was no live entry under the key before
 * @param expiresAt when the entry will expire; null if it does not
 * @param value the value as the group's codec has encoded it, not encrypted; null unless the receiver has asked for it.
 *     Also null for a change of another process or of an application's transaction, for a change that was being
 *     committed when the receiver asked, for changes before a watch resumes, and for a value that cannot be decrypted
 * @since 0.1
 * @see StoreEvent
 * @see WatchOptions#withValues()
 * @see StoreListener#withValues
 * @see dev.ttlstore.GroupReads#valueOf
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and the accessor are written for the array
public record EntryPut(
        long sequence,
        Instant timestamp,
        String group,
        String key,
        long version,
        boolean created,
        @Nullable Instant expiresAt,
        byte @Nullable [] value)
        implements StoreEvent {

    /**
     * Creates an event without a value.
     *
     * @param sequence the place of the change in the history of the store
     * @param timestamp the store's time of the change
     * @param group the name of the group, as in {@link StoreEvent#group()}
     * @param key the entry's key
     * @param version the entry's new version
     * @param created whether there was no live entry under the key before
     * @param expiresAt when the entry will expire; null if it does not
     */
    public EntryPut(
            long sequence,
            Instant timestamp,
            String group,
            String key,
            long version,
            boolean created,
            @Nullable Instant expiresAt) {
        this(sequence, timestamp, group, key, version, created, expiresAt, null);
    }

    @Override
    public String type() {
        return "put";
    }

    /**
     * Returns the value as the group's codec has encoded it.
     *
     * @return a copy of the bytes; null if the event has no value
     */
    @Override
    public byte @Nullable [] value() {
        return value == null ? null : value.clone();
    }

    /**
     * Returns the same event with another value.
     *
     * @param newValue the encoded value; null for none
     * @return the event
     */
    public EntryPut withValue(byte @Nullable [] newValue) {
        return newValue == null && value == null
                ? this
                : new EntryPut(sequence, timestamp, group, key, version, created, expiresAt, newValue);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntryPut that
                && sequence == that.sequence
                && timestamp.equals(that.timestamp)
                && group.equals(that.group)
                && key.equals(that.key)
                && version == that.version
                && created == that.created
                && Objects.equals(expiresAt, that.expiresAt)
                && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(sequence, timestamp, group, key, version, created, expiresAt, Arrays.hashCode(value));
    }

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "EntryPut[sequence=" + sequence + ", timestamp=" + timestamp + ", group=" + group + ", version="
                + version + ", created=" + created + ", expiresAt=" + expiresAt + "]";
    }
}
