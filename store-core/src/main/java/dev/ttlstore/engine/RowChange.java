package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a commit makes of one row. The engine sees both sides, so that it can pick the cheapest statement: an insert, a
 * removal, a new expiry alone (when both sides share one value array), or a whole new row.
 *
 * @param before the row as it was loaded, expired or not; null when there was none
 * @param after the row as it should stand; null when it goes
 */
public record RowChange(@Nullable Row before, @Nullable Row after) {

    /**
     * Checks that the change is about one row.
     *
     * @param before the row as it was loaded
     * @param after the row as it should stand
     */
    public RowChange {
        if (before == null && after == null) {
            throw new IllegalArgumentException("A change needs a row before it or a row after it");
        }
        if (before != null && after != null && !before.key().equals(after.key())) {
            throw new IllegalArgumentException("A change must not rename its row");
        }
    }
}
