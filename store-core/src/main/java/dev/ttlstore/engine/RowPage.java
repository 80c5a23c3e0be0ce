package dev.ttlstore.engine;

import java.util.List;

/**
 * A part of a walk. It may be shorter than asked for, so that large values do not fill the memory.
 *
 * @param rows the rows, in the order of the walk; at least one if there is more
 * @param more whether there may be more behind the last of them
 */
public record RowPage(List<Row> rows, boolean more) {}
