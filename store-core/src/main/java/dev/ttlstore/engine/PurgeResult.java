package dev.ttlstore.engine;

import java.util.List;

/**
 * The result of a purge in one commit.
 *
 * @param removed the removed rows, in the order of their expiry
 * @param more whether there may be more
 * @param recorded whether a delivery was recorded for a subscriber
 */
public record PurgeResult(List<ExpiryRow> removed, boolean more, boolean recorded) {}
