package dev.ttlstore.engine;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The change of one row in a commit. The engine sees both sides, so that it can pick the cheapest statement: an
 * insert, a delete, an update of the expiry ({@link #isRenewal}), or a whole new row.
 *
 * @param before the row as it was loaded, live or expired; null if there was none
 * @param after the new row; null to remove it
 */
public record RowChange(@Nullable Row before, @Nullable Row after) {

    /**
     * Checks that the change is about one row.
     *
     * @param before the row as it was loaded
     * @param after the new row
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
     * Tests whether the change gives a row another expiry and leaves the rest as it is.
     *
     * @return whether both sides share one value array, and have the same version and the same times
     */
    @SuppressWarnings("ReferenceEquality") // whoever changes a value makes an array of it
    public boolean isRenewal() {
        return before != null
                && after != null
                && before.storedValue() == after.storedValue()
                && before.version() == after.version()
                && before.createdAt() == after.createdAt()
                && before.updatedAt() == after.updatedAt();
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
