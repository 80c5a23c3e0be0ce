package dev.ttlstore.engine;

/**
 * A stored entry as an engine keeps it. All times are milliseconds since the epoch. Rows are values: whoever holds one must
 * not change its bytes.
 *
 * @param key the row's name
 * @param value the encoded value, possibly empty
 * @param version the sequence number of the put that wrote the value
 * @param createdAt when the entry came into being
 * @param updatedAt when its value was last put
 * @param expiresAt the first instant at which the entry is no longer visible, or {@link #NEVER}
 */
@SuppressWarnings("ArrayRecordComponent") // rows are never compared, and copying the bytes would cost every read
public record Row(RowKey key, byte[] value, long version, long createdAt, long updatedAt, long expiresAt) {

    /** The expiry of an entry that does not expire. */
    public static final long NEVER = Long.MAX_VALUE;

    /**
     * Whether the entry is visible.
     *
     * @param now the time that the question is asked for
     * @return true while {@code now} is before the expiry
     */
    public boolean isLiveAt(long now) {
        return now < expiresAt;
    }

    /**
     * What the row counts for in a quota.
     *
     * @return the size of its key, as UTF-8, and of its value
     */
    public long bytes() {
        return Utf8.lengthOf(key.key()) + value.length;
    }

    /**
     * The same entry with another expiry.
     *
     * @param newExpiresAt the expiry, or {@link #NEVER}
     * @return the changed row
     */
    public Row withExpiry(long newExpiresAt) {
        return new Row(key, value, version, createdAt, updatedAt, newExpiresAt);
    }

    /** Says which row it is and never what it holds, nor its key, which may itself be a secret. */
    @Override
    public String toString() {
        return "Row[group=" + key.group() + ", version=" + version + ", bytes=" + value.length + "]";
    }
}
