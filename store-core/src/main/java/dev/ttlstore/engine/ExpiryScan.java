package dev.ttlstore.engine;

/**
 * A scan of the rows that expire within a time span, in the order of the expiry index: by due time, then by group and
 * key. A row's due time is never after its expiry. It may be before it, because a renewal need not move the row in the
 * index at once.
 *
 * @param groups the groups to look at
 * @param from the start of the time span, inclusive, in milliseconds since the epoch
 * @param to the end of the time span, exclusive
 * @param after the place after which the scan continues
 * @param limit how many rows at most
 */
public record ExpiryScan(GroupRange groups, long from, long to, Position after, int limit) {

    /**
     * A place in the scan.
     *
     * @param dueAt the due time of the row there
     * @param key its name
     */
    public record Position(long dueAt, RowKey key) {

        /** The place before all rows. */
        public static final Position START = new Position(Long.MIN_VALUE, new RowKey("", ""));
    }

    /**
     * Returns a scan of all expired rows.
     *
     * @param groups the groups to look at
     * @param now the time by which rows have expired
     * @param limit how many rows at most
     * @return the scan
     */
    public static ExpiryScan expired(GroupRange groups, long now, int limit) {
        return new ExpiryScan(groups, Long.MIN_VALUE, now + 1, Position.START, limit);
    }

    /**
     * Returns the rest of this scan.
     *
     * @param last the last row so far
     * @return a scan that continues after it
     */
    public ExpiryScan after(ExpiryRow last) {
        return new ExpiryScan(groups, from, to, new Position(last.dueAt(), last.key()), limit);
    }
}
