package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * A scan of the live rows of a group, in the order of their keys or in reverse. There need not be a row at either
 * bound.
 *
 * @param group the full group name
 * @param from the lower bound, inclusive; empty for none
 * @param to the upper bound, exclusive; null for none
 * @param reversed whether the scan runs from the last key to the first
 * @param now the time at which rows are live
 * @param limit how many rows at most
 */
public record Scan(String group, String from, @Nullable String to, boolean reversed, long now, int limit) {

    /**
     * Returns the scan of all live rows of a group, without a limit.
     *
     * @param group the full group name
     * @param now the time at which rows are live
     * @return the scan
     */
    public static Scan all(String group, long now) {
        return new Scan(group, "", null, false, now, Integer.MAX_VALUE);
    }

    /**
     * Returns the rest of this scan.
     *
     * @param last the key of the last row so far
     * @return a scan that continues after it
     */
    public Scan after(String last) {
        return reversed
                ? new Scan(group, from, last, true, now, limit)
                : new Scan(group, Utf8.next(last), to, false, now, limit);
    }

    /**
     * Returns the first part of this scan.
     *
     * @param last a key within the bounds
     * @return a scan that ends with that key
     */
    public Scan upTo(String last) {
        return reversed
                ? new Scan(group, last, to, true, now, limit)
                : new Scan(group, from, Utf8.next(last), false, now, limit);
    }

    /**
     * Returns the scan that finds the last row of this one.
     *
     * @return a scan in the opposite direction, for one row
     */
    public Scan last() {
        return new Scan(group, from, to, !reversed, now, 1);
    }

    /**
     * Returns the same scan with another time and limit.
     *
     * @param newNow the time at which rows are live
     * @param newLimit how many rows at most
     * @return the changed scan
     */
    public Scan with(long newNow, int newLimit) {
        return new Scan(group, from, to, reversed, newNow, newLimit);
    }

    /**
     * Returns whether a key is within the bounds.
     *
     * @param key the key
     * @return true if it is
     */
    public boolean contains(String key) {
        return Utf8.ORDER.compare(key, from) >= 0 && (to == null || Utf8.ORDER.compare(key, to) < 0);
    }
}
