package dev.ttlstore;

/**
 * Limits of a namespace, where 0 means no limit. Only live entries count, whether or not a purge has deleted expired
 * ones.
 *
 * @param maxKeys the number of entries
 * @param maxGroups the number of groups with a live entry
 * @param maxBytes the size of keys (as UTF-8) and stored values, in bytes; stored values are encoded, and sealed if
 *     their group is encrypted
 * @since 0.1
 * @see Store#scope(String,Quota)
 * @see Usage
 * @see dev.ttlstore.exception.QuotaExceededException
 */
public record Quota(long maxKeys, long maxGroups, long maxBytes) {

    /** No limits. */
    public static final Quota UNLIMITED = new Quota(0, 0, 0);

    /**
     * Checks the limits.
     *
     * @param maxKeys the number of entries
     * @param maxGroups the number of groups
     * @param maxBytes the number of bytes
     * @throws IllegalArgumentException if a limit is negative
     */
    public Quota {
        requireNotNegative(maxKeys, "maxKeys");
        requireNotNegative(maxGroups, "maxGroups");
        requireNotNegative(maxBytes, "maxBytes");
    }

    private static void requireNotNegative(long limit, String parameter) {
        if (limit < 0) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must not be negative, but is " + limit + "; 0 means no limit");
        }
    }
}
