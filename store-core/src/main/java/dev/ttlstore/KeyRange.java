package dev.ttlstore;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Utf8;

/**
 * Some keys of a group, in the order of their UTF-8 bytes or against it. The lower bound is inclusive, the upper one
 * exclusive, in both directions; no entry need stand at either.
 *
 * <pre>{@code
 * invites.entries(KeyRange.prefix("2026-").reversed().limit(10))
 * }</pre>
 *
 * <p>Records that are addressed by two parts, a partition and a place within it, are kept with the partition as the group, or
 * with keys that {@link CompositeKey} joins; a range then reads a partition in order.
 *
 * @param from the first key that may be in the range; null for no bound
 * @param to the first key behind it; null for no bound
 * @param isReversed whether the last key comes first
 * @param maxEntries how many entries at most
 */
public record KeyRange(@Nullable String from, @Nullable String to, boolean isReversed, long maxEntries) {

    /**
     * Checks the bounds.
     *
     * @param from the first key that may be in the range; null for no bound
     * @param to the first key behind it; null for no bound
     * @param isReversed whether the last key comes first
     * @param maxEntries how many entries at most
     * @throws IllegalArgumentException if a bound is not text without NUL, {@code from} comes after {@code to}, or
     *     {@code maxEntries} is negative
     */
    public KeyRange {
        if (from != null) {
            Names.requirePrefix(from, "from");
        }
        if (to != null) {
            Names.requirePrefix(to, "to");
        }
        if (from != null && to != null && Utf8.ORDER.compare(from, to) > 0) {
            throw new IllegalArgumentException(
                    "'from' must not come after 'to'; to walk from the last key to the first use reversed()");
        }
        if (maxEntries < 0) {
            throw new IllegalArgumentException("'limit' must not be negative, but is " + maxEntries);
        }
    }

    /**
     * All keys.
     *
     * @return the range
     */
    public static KeyRange all() {
        return new KeyRange(null, null, false, Long.MAX_VALUE);
    }

    /**
     * Keys between two bounds.
     *
     * @param from the first key that may be in the range
     * @param to the first key behind it; the range is empty if both are the same
     * @return the range
     */
    public static KeyRange between(String from, String to) {
        return new KeyRange(Names.requirePrefix(from, "from"), Names.requirePrefix(to, "to"), false, Long.MAX_VALUE);
    }

    /**
     * Keys from a bound on.
     *
     * @param from the first key that may be in the range
     * @return the range
     */
    public static KeyRange from(String from) {
        return new KeyRange(Names.requirePrefix(from, "from"), null, false, Long.MAX_VALUE);
    }

    /**
     * Keys up to a bound.
     *
     * @param to the first key behind the range
     * @return the range
     */
    public static KeyRange to(String to) {
        return new KeyRange(null, Names.requirePrefix(to, "to"), false, Long.MAX_VALUE);
    }

    /**
     * Keys that begin alike. No character has a special meaning.
     *
     * @param prefix how they begin; empty for all keys
     * @return the range
     */
    public static KeyRange prefix(String prefix) {
        Names.requirePrefix(prefix, "prefix");
        return new KeyRange(prefix, Utf8.afterPrefix(prefix), false, Long.MAX_VALUE);
    }

    /**
     * The same keys, the other way round.
     *
     * @return the range
     */
    public KeyRange reversed() {
        return new KeyRange(from, to, !isReversed, maxEntries);
    }

    /**
     * The first of the keys, in the direction of the range.
     *
     * @param entries how many at most
     * @return the range
     * @throws IllegalArgumentException if the number is negative
     */
    public KeyRange limit(long entries) {
        return new KeyRange(from, to, isReversed, entries);
    }

    /** Tells nothing of the bounds, for they are keys, which may be secrets. */
    @Override
    public String toString() {
        return "KeyRange[reversed=" + isReversed + ", limit=" + maxEntries + "]";
    }
}
