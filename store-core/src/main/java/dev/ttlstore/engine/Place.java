package dev.ttlstore.engine;

import java.util.Comparator;

/**
 * A place among rows that are in the order of a time: of their creation, of their expiry or of when they are due.
 *
 * @param time the time, in milliseconds since the epoch
 * @param key the name of the row there
 * @param version its version
 * @since 0.1
 */
public record Place(long time, RowKey key, long version) implements Comparable<Place> {

    private static final RowKey FIRST_KEY = new RowKey("", "");

    /** By time, then by name, then by version. */
    private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::time)
            .thenComparing(Place::key, RowKey.ORDER)
            .thenComparingLong(Place::version);

    /** The place before all rows. */
    public static final Place START = before(Long.MIN_VALUE);

    /** The place after all rows. */
    public static final Place END = before(Long.MAX_VALUE);

    /**
     * Returns the place before all rows of a time.
     *
     * @param time the time
     * @return the place
     */
    public static Place before(long time) {
        return new Place(time, FIRST_KEY, 0);
    }

    /**
     * Returns the place of a row that has expired.
     *
     * @param row the row
     * @return the place of its expiry
     */
    public static Place ofExpiry(Row row) {
        return new Place(row.expiresAt(), row.key(), row.version());
    }

    /**
     * Returns the place of a row that has expired.
     *
     * @param row the row
     * @return the place of its expiry
     */
    public static Place ofExpiry(ExpiryRow row) {
        return new Place(row.expiresAt(), row.key(), row.version());
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }
}
