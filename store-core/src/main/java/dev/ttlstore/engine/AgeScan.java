package dev.ttlstore.engine;

import java.util.Comparator;

/**
 * A scan of the live rows of a group with an age index, in the order of their creation, then of their keys.
 *
 * @param group the full group name
 * @param before the time before which the rows were created, in milliseconds since the epoch
 * @param after the place after which the scan continues
 * @param now the time at which rows are live
 * @param limit how many rows at most
 */
public record AgeScan(String group, long before, Position after, long now, int limit) {

    private static final Comparator<Position> POSITIONS =
            Comparator.comparingLong(Position::createdAt).thenComparing(Position::key, Utf8.ORDER);

    /** The order of the rows of a group. */
    public static final Comparator<Row> ORDER = Comparator.comparing(Position::of, POSITIONS);

    /**
     * A place in the scan.
     *
     * @param createdAt the creation of the row there, in milliseconds since the epoch
     * @param key its key
     */
    public record Position(long createdAt, String key) {

        /** The place before all rows. */
        public static final Position START = new Position(Long.MIN_VALUE, "");

        private static Position of(Row row) {
            return new Position(row.createdAt(), row.key().key());
        }
    }

    /**
     * Returns the scan of all live rows of a group that were created before a time. The time at which they are live is
     * not set yet.
     *
     * @param group the full group name
     * @param before the time, in milliseconds since the epoch
     * @param limit how many rows at most
     * @return the scan
     */
    public static AgeScan first(String group, long before, int limit) {
        return new AgeScan(group, before, Position.START, Long.MIN_VALUE, limit);
    }

    /**
     * Returns the rest of this scan.
     *
     * @param last the last row so far
     * @return a scan that continues after it
     */
    public AgeScan after(Row last) {
        return new AgeScan(group, before, Position.of(last), now, limit);
    }

    /**
     * Returns the same scan at another time.
     *
     * @param newNow the time at which rows are live
     * @return the changed scan
     */
    public AgeScan at(long newNow) {
        return new AgeScan(group, before, after, newNow, limit);
    }

    /**
     * Returns whether a row belongs to this scan.
     *
     * @param row a row
     * @return whether it is in the group, live, old enough, and after the place where the scan continues
     */
    public boolean contains(Row row) {
        return row.key().group().equals(group)
                && row.createdAt() < before
                && row.isLiveAt(now)
                && POSITIONS.compare(Position.of(row), after) > 0;
    }
}
