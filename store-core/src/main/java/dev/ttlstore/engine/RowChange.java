package dev.ttlstore.engine;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The change of one row in a commit. The engine sees both sides, so that it can pick the cheapest statement: an
 * insert, a delete, an update of the expiry ({@link #isRenewal}), or a whole new row.
 *
 * @param before the row as it was loaded, live or expired; null if there was none
 * @param after the new row; null to remove it
 * @param expiry computes the expiry of the new row from the time at which it is stored; null if that is fixed
 * @since 0.1
 */
public record RowChange(
        @Nullable Row before, @Nullable Row after, @Nullable ExpiryTime expiry) {

    /**
     * Checks that the change is about one row.
     *
     * @param before the row as it was loaded
     * @param after the new row
     * @param expiry computes its expiry
     */
    public RowChange {
        if (before == null && after == null) {
            throw new IllegalArgumentException("A change needs a row before it or a row after it");
        }
        if (before != null && after != null && !before.key().equals(after.key())) {
            throw new IllegalArgumentException("A change must not rename its row");
        }
    }

    /**
     * Creates a change to a row whose expiry is fixed.
     *
     * @param before the row as it was loaded
     * @param after the new row
     */
    public RowChange(@Nullable Row before, @Nullable Row after) {
        this(before, after, null);
    }

    /** Counts a ttl from a time. */
    RowChange from(long time) {
        if (after == null || expiry == null) {
            return this;
        }
        long expiresAt = expiry.from(time);
        return expiresAt == after.expiresAt() ? this : new RowChange(before, after.withExpiry(expiresAt), expiry);
    }

    /** Replaces the new row. */
    RowChange to(Row row) {
        return new RowChange(before, row, expiry);
    }

    /**
     * Tests whether the row, or the one that replaces it, expires later than before.
     *
     * @return whether it does
     */
    public boolean isKeptAlive() {
        return before != null && after != null && after.expiresAt() > before.expiresAt();
    }

    /** Tests whether the same row expires earlier than before. */
    boolean isShortened() {
        return before != null
                && after != null
                && after.version() == before.version()
                && after.expiresAt() < before.expiresAt();
    }

    /**
     * Tests whether the change gives a row another expiry and leaves the rest as it is.
     *
     * @return whether both sides share one value array, and have the same version and the same times
     */
    @SuppressWarnings("ReferenceEquality") // a changed value is another array
    public boolean isRenewal() {
        return before != null
                && after != null
                && before.storedValue() == after.storedValue()
                && before.version() == after.version()
                && before.createdAt() == after.createdAt()
                && before.updatedAt() == after.updatedAt();
    }

    /**
     * Returns how many rows there are more.
     *
     * @return 1, 0 or −1
     */
    public int addedRows() {
        return (after == null ? 0 : 1) - (before == null ? 0 : 1);
    }

    /**
     * Returns how many bytes of keys and values there are more.
     *
     * @return the difference; negative if there are fewer
     */
    public long addedBytes() {
        return (after == null ? 0 : after.bytes()) - (before == null ? 0 : before.bytes());
    }

    /**
     * Returns the name of the row.
     *
     * @return its key
     */
    public RowKey key() {
        return after == null ? Objects.requireNonNull(before).key() : after.key();
    }
}
