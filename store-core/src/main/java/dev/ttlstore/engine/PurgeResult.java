package dev.ttlstore.engine;

import java.util.List;

/**
 * A part of a purge.
 *
 * @param removed the expired rows that it has removed, in the order of their expiry
 * @param more whether there may be more
 */
public record PurgeResult(List<ExpiryRow> removed, boolean more) {}
