package dev.ttlstore.engine;

/**
 * A scan of retained rows, in the order of their expiry, then of group, key and version.
 *
 * @param groups the groups to look at
 * @param from the start of the time span, inclusive, in milliseconds since the epoch
 * @param to the end of the time span, exclusive
 * @param after the place after which the scan continues
 * @param limit how many rows at most
 */
public record RetainedScan(GroupRange groups, long from, long to, Position after, int limit) {

    /**
     * A place in the scan.
     *
     * @param expiresAt the expiry of the row there
     * @param key its name
     * @param version its version
     */
    public record Position(long expiresAt, RowKey key, long version) {

        /** The place before all rows. */
        public static final Position START = new Position(Long.MIN_VALUE, new RowKey("", ""), 0);
    }
}
