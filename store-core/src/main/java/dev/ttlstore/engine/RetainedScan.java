package dev.ttlstore.engine;

/**
 * A walk over retained rows in the order of their expiry, and of group, key and version where that is the same.
 *
 * @param groups the groups to look at
 * @param from the first expiry that may be in it, in milliseconds since the epoch
 * @param to the first expiry behind it
 * @param after the last row so far, which the walk goes on behind
 * @param limit how many rows at most
 */
public record RetainedScan(GroupRange groups, long from, long to, Position after, int limit) {

    /**
     * A place in the walk.
     *
     * @param expiresAt the expiry of the row there
     * @param key its name
     * @param version its version
     */
    public record Position(long expiresAt, RowKey key, long version) {

        /** Before every row. */
        public static final Position START = new Position(Long.MIN_VALUE, new RowKey("", ""), 0);
    }
}
