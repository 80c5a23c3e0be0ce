package dev.ttlstore.engine;

/**
 * A row as the expiry index knows it.
 *
 * @param key the row's name
 * @param version the version of its value
 * @param expiresAt when it expires or has expired, in milliseconds since the epoch
 * @param dueAt its place in the index: its expiry, or an earlier expiry that it once had
 * @param bytes the size of its key and its value, as {@link Row#bytes()} counts it
 */
public record ExpiryRow(RowKey key, long version, long expiresAt, long dueAt, long bytes) {}
