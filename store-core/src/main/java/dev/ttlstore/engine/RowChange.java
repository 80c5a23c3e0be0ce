package dev.ttlstore.engine;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The change of one row in a commit. The engine sees both sides, so that it can pick the cheapest statement: an
 * insert, a delete, an update of the expiry (if both sides share one value array), or a whole new row.
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
     * Returns the name of the row.
     *
     * @return its key
     */
    public RowKey key() {
        return after == null ? Objects.requireNonNull(before).key() : after.key();
    }
}
