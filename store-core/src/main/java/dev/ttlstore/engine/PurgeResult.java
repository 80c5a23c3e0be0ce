package dev.ttlstore.engine;

import java.util.List;

/**
 * The result of a purge in one commit.
 *
 * @param count how many rows were removed
 * @param removed the removed rows, in the order of their expiry; empty if they were counted only
 * @param more whether there may be more
 * @param recorded whether a delivery was recorded for a subscriber
 * @since 0.1
 */
public record PurgeResult(long count, List<ExpiryRow> removed, boolean more, boolean recorded) {

    /**
     * Creates the result of a purge that has listed its rows.
     *
     * @param removed the removed rows, in the order of their expiry
     * @param more whether there may be more
     * @param recorded whether a delivery was recorded for a subscriber
     */
    public PurgeResult(List<ExpiryRow> removed, boolean more, boolean recorded) {
        this(removed.size(), removed, more, recorded);
    }
}
