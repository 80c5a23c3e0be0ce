package dev.ttlstore.engine;

/**
 * A walk over rows in the order of their expiry, and of group and key where that is the same.
 *
 * @param groups the groups to look at
 * @param from the first expiry that may be in it, in milliseconds since the epoch
 * @param to the first expiry behind it
 * @param after the last row so far, which the walk goes on behind; one of an expiry before {@code from} to begin
 * @param limit how many rows at most
 */
public record ExpiryScan(GroupRange groups, long from, long to, Position after, int limit) {

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

    /**
     * All rows that have expired.
     *
     * @param groups the groups to look at
     * @param now the time to judge expiry by
     * @param limit how many rows at most
     * @return the walk
     */
    public static ExpiryScan expired(GroupRange groups, long now, int limit) {
        return new ExpiryScan(groups, Long.MIN_VALUE, now + 1, Position.START, limit);
    }

    /**
     * The rest of a walk.
     *
     * @param last the last row so far
     * @return a walk over what comes behind it
     */
    public ExpiryScan after(Position last) {
        return new ExpiryScan(groups, from, to, last, limit);
    }
}
