package dev.ttlstore.engine;

import java.util.List;

/**
 * A page of a scan. It may be shorter than its limit, so that large values do not fill the memory.
 *
 * @param rows the rows, in the order of the scan; at least one if there is more
 * @param more whether there may be more after the last row
 */
public record RowPage(List<Row> rows, boolean more) {}
