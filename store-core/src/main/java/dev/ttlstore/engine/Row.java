package dev.ttlstore.engine;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StoreCorruptedException;

/**
 * A stored entry, as an engine keeps it. All times are in milliseconds since the epoch. Rows are values: nobody may
 * change the bytes of a row.
 *
 * @param key the row's name
 * @param value the encoded value, possibly empty
 * @param version the sequence number of the put that wrote the value
 * @param createdAt when the entry was created
 * @param updatedAt when its value was last put, which may be ahead of the time of a commit by another node's clock, and then counts as now; also when
 *     its expiry was last changed, if that was during a {@link ClockLeap}
 * @param expiresAt the first instant at which the entry is no longer visible, or {@link #NEVER}
 * @param damaged whether the engine has noticed that the value is not the one that was written
 * @since 0.1
 */
@SuppressWarnings("ArrayRecordComponent") // rows are never compared, and copying the bytes would cost every read
public record Row(
        RowKey key, byte[] value, long version, long createdAt, long updatedAt, long expiresAt, boolean damaged) {

    /** The expiry of an entry that does not expire. */
    public static final long NEVER = Long.MAX_VALUE;

    /**
     * Creates a row whose value is as it was written.
     *
     * @param key the row's name
     * @param value the encoded value, possibly empty
     * @param version the sequence number of the put that wrote the value
     * @param createdAt when the entry was created
     * @param updatedAt when its value was last put
     * @param expiresAt the first instant at which the entry is no longer visible, or {@link #NEVER}
     */
    public Row(RowKey key, byte[] value, long version, long createdAt, long updatedAt, long expiresAt) {
        this(key, value, version, createdAt, updatedAt, expiresAt, false);
    }

    /**
     * Returns the value.
     *
     * @return the encoded value, possibly empty
     * @throws StoreCorruptedException if it is damaged, so that nobody takes it for the one that was written
     */
    @Override
    public byte[] value() {
        if (damaged) {
            throw StoreCorruptedException.ofValue("in the group '" + key.group() + "'");
        }
        return value;
    }

    /**
     * Returns the bytes of the value as they are stored, also if they are damaged: to store them elsewhere, not to decode them.
     *
     * @return the bytes
     */
    public byte[] storedValue() {
        return value;
    }

    /**
     * Tests whether another row has the same times and the same value.
     *
     * @param other the other row
     * @return whether it has; the versions may differ
     */
    public boolean isCopyOf(Row other) {
        return createdAt == other.createdAt
                && updatedAt == other.updatedAt
                && expiresAt == other.expiresAt
                && hasValueOf(other);
    }

    /**
     * Tests whether another row has the value of this one, which is not damaged.
     *
     * @param other the other row
     * @return true if the bytes are the same
     */
    public boolean hasValueOf(Row other) {
        return !damaged && !other.damaged && Arrays.equals(value, other.value);
    }

    /**
     * Returns whether the entry is visible at a time.
     *
     * @param now the time
     * @return true if {@code now} is before the expiry
     */
    public boolean isLiveAt(long now) {
        return now < expiresAt;
    }

    /**
     * Returns whether an entry has not changed between two reads: it has the same version, which no other change of the entry
     * shares, and the same expiry, which may change without one.
     *
     * @param before what was read first; null if there was no row
     * @param after what was read later, under the same key; null if there was no row
     * @return true if both are missing or the same
     */
    public static boolean areSame(@Nullable Row before, @Nullable Row after) {
        if (before == null || after == null) {
            return before == null && after == null;
        }
        return before.version == after.version && before.expiresAt == after.expiresAt;
    }

    /**
     * Returns the size of the row for quotas.
     *
     * @return the size of its key, as UTF-8, and of its value, in bytes
     */
    public long bytes() {
        return Utf8.lengthOf(key.key()) + value.length;
    }

    /**
     * Returns the same entry with another expiry.
     *
     * @param newExpiresAt the expiry, or {@link #NEVER}
     * @return the changed row
     */
    public Row withExpiry(long newExpiresAt) {
        return new Row(key, value, version, createdAt, updatedAt, newExpiresAt, damaged);
    }

    /**
     * Returns the same entry, updated at another time.
     *
     * @param newUpdatedAt the time, in milliseconds since the epoch
     * @return the changed row
     */
    public Row withUpdate(long newUpdatedAt) {
        return new Row(key, value, version, createdAt, newUpdatedAt, expiresAt, damaged);
    }

    /**
     * Returns the same row as another version.
     *
     * @param newVersion the version
     * @return the changed row
     */
    public Row withVersion(long newVersion) {
        return new Row(key, value, newVersion, createdAt, updatedAt, expiresAt, damaged);
    }

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "Row[group=" + key.group() + ", version=" + version + ", bytes=" + value.length + "]";
    }
}
