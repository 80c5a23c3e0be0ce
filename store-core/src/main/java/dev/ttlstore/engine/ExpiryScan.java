package dev.ttlstore.engine;

/**
 * A walk over the rows that expire in a span of time, in the order of the expiry index: by the time at which each is due to
 * be looked at, then by group and key. That time is never after the row's expiry, and may be before it, for a renewal need
 * not move its row within the index at once.
 *
 * @param groups the groups to look at
 * @param from the first expiry that may be in it, in milliseconds since the epoch
 * @param to the first expiry behind it
 * @param after the last row so far, which the walk goes on behind
 * @param limit how many rows at most
 */
public record ExpiryScan(GroupRange groups, long from, long to, Position after, int limit) {

    /**
     * A place in the walk.
     *
     * @param dueAt when the row there is due
     * @param key its name
     */
    public record Position(long dueAt, RowKey key) {

        /** Before every row. */
        public static final Position START = new Position(Long.MIN_VALUE, new RowKey("", ""));
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
    public ExpiryScan after(ExpiryRow last) {
        return new ExpiryScan(groups, from, to, new Position(last.dueAt(), last.key()), limit);
    }
}
