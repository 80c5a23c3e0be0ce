package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * A walk over the live rows of a group, in the order of their keys or against it. Bounds name places, not rows: no row need
 * stand there.
 *
 * @param group the full group name
 * @param from the first key that may be in it; empty for no bound
 * @param to the first key behind it; null for no bound
 * @param reversed whether to walk from the last key to the first
 * @param now the time to judge expiry by
 * @param limit how many rows at most
 */
public record Scan(String group, String from, @Nullable String to, boolean reversed, long now, int limit) {

    /**
     * The rest of a walk.
     *
     * @param last the key of the last row so far
     * @return a walk over what comes behind it
     */
    public Scan after(String last) {
        return reversed
                ? new Scan(group, from, last, true, now, limit)
                : new Scan(group, Utf8.next(last), to, false, now, limit);
    }

    /**
     * The same walk at another time, or in other steps.
     *
     * @param newNow the time to judge expiry by
     * @param newLimit how many rows at most
     * @return the changed walk
     */
    public Scan with(long newNow, int newLimit) {
        return new Scan(group, from, to, reversed, newNow, newLimit);
    }

    /**
     * Whether a key is within the bounds.
     *
     * @param key the key
     * @return true if it is
     */
    public boolean contains(String key) {
        return Utf8.ORDER.compare(key, from) >= 0 && (to == null || Utf8.ORDER.compare(key, to) < 0);
    }
}
