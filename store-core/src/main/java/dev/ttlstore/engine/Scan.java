package dev.ttlstore.engine;

import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/**
 * Selects rows, and says in which order a page has them. There need not be a row at any bound.
 *
 * @param order the order
 * @param groups the groups to look at; just one for a page by key or by creation
 * @param from the lower bound of the keys, inclusive; empty for none
 * @param to the upper bound of the keys, exclusive; null for none
 * @param after the place after which a page by creation or of retained rows starts
 * @param before the end of the times of a page by creation or of retained rows, exclusive
 * @param at the time at which rows are live; {@link Reads#ALL} or {@link Reads#NOW}
 * @param limit how many rows at most
 * @since 0.1
 */
public record Scan(
        Order order,
        GroupRange groups,
        String from,
        @Nullable String to,
        Place after,
        long before,
        long at,
        int limit) {

    /** The orders of pages. */
    public enum Order {

        /** By key. */
        KEY,

        /** By key, from the last to the first. */
        KEY_REVERSED,

        /**
         * By key, with all rows in one page, however large. Its receiver uses only the keys and the values, and asks whether these are
         * damaged; an engine need not read the rest.
         */
        VALUES,

        /** By creation, then by key. Only for the groups of {@link EngineSettings#ageIndexes}. */
        CREATION,

        /** Retained rows, by expiry: rows that had expired, and were kept when they were removed. */
        RETAINED
    }

    private static final Comparator<Row> BY_KEY =
            Comparator.comparing(row -> row.key().key(), Utf8.ORDER);
    private static final Comparator<Row> BY_KEY_REVERSED = BY_KEY.reversed();

    /**
     * Selects rows of a group in the order of their keys or in reverse.
     *
     * @param group the full group name
     * @param from the lower bound, inclusive; empty for none
     * @param to the upper bound, exclusive; null for none
     * @param reversed whether the scan runs from the last key to the first
     * @param at the time at which rows are live
     * @param limit how many rows at most
     * @return the scan
     */
    public static Scan keys(String group, String from, @Nullable String to, boolean reversed, long at, int limit) {
        Order order = reversed ? Order.KEY_REVERSED : Order.KEY;
        return new Scan(order, GroupRange.only(group), from, to, Place.START, Long.MAX_VALUE, at, limit);
    }

    /**
     * Selects all rows of a group, in the order of their keys.
     *
     * @param group the full group name
     * @param at the time at which rows are live
     * @param limit how many rows at most
     * @return the scan
     */
    public static Scan group(String group, long at, int limit) {
        return keys(group, "", null, false, at, limit);
    }

    /**
     * Selects the keys and values of a group, in the order of the keys, all in one page.
     *
     * @param group the full group name
     * @param at the time at which rows are live
     * @return the scan
     */
    public static Scan values(String group, long at) {
        return new Scan(
                Order.VALUES, GroupRange.only(group), "", null, Place.START, Long.MAX_VALUE, at, Integer.MAX_VALUE);
    }

    /**
     * Selects all rows of some groups, to count them or to list their groups.
     *
     * @param groups the groups
     * @param at the time at which rows are live
     * @param limit how many groups at most
     * @return the scan
     */
    public static Scan groups(GroupRange groups, long at, int limit) {
        return new Scan(Order.KEY, groups, "", null, Place.START, Long.MAX_VALUE, at, limit);
    }

    /**
     * Selects the rows of a group that are live now and were created before a time, in the order of their creation.
     *
     * @param group the full group name
     * @param before the time, in milliseconds since the epoch
     * @param limit how many rows at most
     * @return the scan
     */
    public static Scan created(String group, long before, int limit) {
        return new Scan(Order.CREATION, GroupRange.only(group), "", null, Place.START, before, Reads.NOW, limit);
    }

    /**
     * Selects retained rows, in the order of their expiry.
     *
     * @param groups the groups to look at
     * @param from the start of the time span, inclusive, in milliseconds since the epoch
     * @param before the end of the time span, exclusive
     * @param limit how many rows at most
     * @return the scan
     */
    public static Scan retained(GroupRange groups, long from, long before, int limit) {
        return new Scan(Order.RETAINED, groups, "", null, Place.before(from), before, Reads.ALL, limit);
    }

    /**
     * Returns the name of the only group.
     *
     * @return the full group name
     */
    public String group() {
        return groups.from();
    }

    /**
     * Returns the rest of this scan.
     *
     * @param last the last row so far; null if there is none yet
     * @return a scan that continues after it
     */
    public Scan after(@Nullable Row last) {
        if (last == null) {
            return this;
        }
        return switch (order) {
            case KEY, VALUES -> within(Utf8.next(last.key().key()), to);
            case KEY_REVERSED -> within(from, last.key().key());
            case CREATION, RETAINED -> within(place(last), before);
        };
    }

    /**
     * Returns the scan of another part of the times of this one.
     *
     * @param newAfter the place after which it starts
     * @param newBefore the end of its times, exclusive
     * @return the changed scan
     */
    public Scan within(Place newAfter, long newBefore) {
        return new Scan(order, groups, from, to, newAfter, newBefore, at, limit);
    }

    private Scan within(String newFrom, @Nullable String newTo) {
        return new Scan(order, groups, newFrom, newTo, after, before, at, limit);
    }

    /**
     * Returns the first part of this scan by key.
     *
     * @param last the last row of the part
     * @return a scan that ends with that row
     */
    public Scan upTo(Row last) {
        String key = last.key().key();
        return order == Order.KEY_REVERSED ? within(key, to) : within(from, Utf8.next(key));
    }

    /**
     * Returns the scan that finds the last row of this scan by key.
     *
     * @return a scan in the opposite direction, for one row
     */
    public Scan last() {
        return keys(group(), from, to, order != Order.KEY_REVERSED, at, 1);
    }

    /**
     * Returns the same scan at another time.
     *
     * @param newAt the time at which rows are live
     * @return the changed scan
     */
    public Scan at(long newAt) {
        return newAt == at ? this : new Scan(order, groups, from, to, after, before, newAt, limit);
    }

    /**
     * Returns whether a row belongs to this scan.
     *
     * @param row a row
     * @return whether it is in a group and within the bounds, and live
     */
    public boolean contains(Row row) {
        return groups.contains(row.key().group())
                && Utf8.ORDER.compare(row.key().key(), from) >= 0
                && (to == null || Utf8.ORDER.compare(row.key().key(), to) < 0)
                && (isByKey() || isWithinTimes(place(row)))
                && row.isLiveAt(at);
    }

    private boolean isWithinTimes(Place place) {
        return place.time() < before && place.compareTo(after) > 0;
    }

    /**
     * Returns whether the order is that of keys.
     *
     * @return true for a page that has bounds of keys, false for one that has times
     */
    public boolean isByKey() {
        return order != Order.CREATION && order != Order.RETAINED;
    }

    /**
     * Returns whether all rows come in one page, however large.
     *
     * @return true for a page of values
     */
    public boolean isWhole() {
        return order == Order.VALUES;
    }

    /**
     * Returns the order of the rows.
     *
     * @return the order, of rows within one group unless they are retained ones
     */
    public Comparator<Row> comparator() {
        return switch (order) {
            case KEY, VALUES -> BY_KEY;
            case KEY_REVERSED -> BY_KEY_REVERSED;
            case CREATION, RETAINED -> Comparator.comparing(this::place);
        };
    }

    private Place place(Row row) {
        return order == Order.CREATION ? new Place(row.createdAt(), row.key(), 0) : Place.ofExpiry(row);
    }
}
