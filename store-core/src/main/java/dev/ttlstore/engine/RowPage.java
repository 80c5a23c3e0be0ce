package dev.ttlstore.engine;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of a scan. It may be shorter than its limit, so that large values do not fill the memory, unless the scan has none.
 *
 * @param rows the rows, in the order of the scan; at least one if there is more
 * @param more whether there may be more after the last row
 * @param own whether nobody else uses the bytes of the rows
 * @since 0.1
 */
public record RowPage(List<Row> rows, boolean more, boolean own) {

    /**
     * Returns where the page ends.
     *
     * @return its last row; null if it is empty
     */
    public @Nullable Row last() {
        return rows.isEmpty() ? null : rows.get(rows.size() - 1);
    }
}
