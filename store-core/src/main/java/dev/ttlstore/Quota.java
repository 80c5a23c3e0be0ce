package dev.ttlstore;

/**
 * What a namespace may take; 0 stands for no limit. Only living entries count, whether or not what has expired was removed.
 *
 * @param maxKeys how many entries
 * @param maxGroups in how many groups
 * @param maxBytes how many bytes their keys (as UTF-8) and values may take together, as they are stored: encoded, and
 *     sealed where their group is encrypted
 */
public record Quota(long maxKeys, long maxGroups, long maxBytes) {

    /** No limit at all. */
    public static final Quota UNLIMITED = new Quota(0, 0, 0);

    /**
     * Checks the limits.
     *
     * @param maxKeys how many entries
     * @param maxGroups in how many groups
     * @param maxBytes how many bytes
     * @throws IllegalArgumentException if one of them is negative
     */
    public Quota {
        requireNotNegative(maxKeys, "maxKeys");
        requireNotNegative(maxGroups, "maxGroups");
        requireNotNegative(maxBytes, "maxBytes");
    }

    private static void requireNotNegative(long limit, String parameter) {
        if (limit < 0) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must not be negative, but is " + limit + "; 0 stands for no limit");
        }
    }
}
