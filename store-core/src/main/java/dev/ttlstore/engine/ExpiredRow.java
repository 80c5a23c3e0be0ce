package dev.ttlstore.engine;

/**
 * An expired row that a purge has removed.
 *
 * @param key the row's name
 * @param version the version that its value had
 * @param expiresAt when it expired, in milliseconds since the epoch
 */
public record ExpiredRow(RowKey key, long version, long expiresAt) {}
