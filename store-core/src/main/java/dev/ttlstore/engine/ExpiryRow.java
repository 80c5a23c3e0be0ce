package dev.ttlstore.engine;

import java.util.Comparator;

/**
 * A row without its value, as walks and purges return it.
 *
 * @param key the row's name
 * @param version the version of its value
 * @param expiresAt when it expires or has expired, in milliseconds since the epoch
 * @param bytes the size of its key and its value, as {@link Row#bytes()} counts it
 * @since 0.1
 */
public record ExpiryRow(RowKey key, long version, long expiresAt, long bytes) {

    /** By expiry, then by name, then by version. */
    public static final Comparator<ExpiryRow> ORDER = Comparator.comparingLong(ExpiryRow::expiresAt)
            .thenComparing(ExpiryRow::key, RowKey.ORDER)
            .thenComparingLong(ExpiryRow::version);
}
