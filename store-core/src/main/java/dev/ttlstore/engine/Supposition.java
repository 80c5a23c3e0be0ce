package dev.ttlstore.engine;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The rows by which a commit is decided that has not loaded them, because its engine finds out when it commits how they are.
 *
 * @param rows the rows by their names; null for one that counts as missing
 * @param provisional whether they stand in for the true ones, so that the commit is {@linkplain EngineTransaction#found decided again} by
 *     those. Otherwise the commit is a conflict if they are not the true ones
 */
public record Supposition(Map<RowKey, @Nullable Row> rows, boolean provisional) {

    /**
     * Tests whether a row stands in for the true one, which may be missing, or another.
     *
     * @return whether any does; false if all count as missing
     */
    public boolean hasStandIn() {
        return provisional && rows.values().stream().anyMatch(row -> row != null);
    }
}
