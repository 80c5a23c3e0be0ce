package dev.ttlstore;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Utf8;

/**
 * A range of a group's keys, in the order of their UTF-8 bytes or in reverse. In both directions the lower bound is
 * inclusive and the upper bound exclusive. There need not be an entry at either bound.
 *
 * <pre>{@code
 * TextGroup reports = store.group("reports");
 * try (Stream<Entry<String>> latest = reports.entries(KeyRange.prefix("2026-").reversed().limit(10))) {
 *     latest.forEach(report -> log.info("{}", report.key()));
 * }
 * }</pre>
 *
 * <p>For records with a two-part address, a partition and a place within it, use the partition as the group, or keys
 * that {@link CompositeKey} joins. A range then reads a partition in order.
 *
 * @param from the lower bound, inclusive; null for none
 * @param to the upper bound, exclusive; null for none
 * @param isReversed whether the last key comes first
 * @param maxEntries how many entries at most
 * @since 0.1
 * @see GroupReads#entries(KeyRange)
 * @see BulkWrites#clear(KeyRange)
 * @see CompositeKey
 */
public record KeyRange(@Nullable String from, @Nullable String to, boolean isReversed, long maxEntries) {

    /**
     * Checks the bounds.
     *
     * @param from the lower bound, inclusive; null for none
     * @param to the upper bound, exclusive; null for none
     * @param isReversed whether the last key comes first
     * @param maxEntries how many entries at most
     * @throws IllegalArgumentException if a bound is not text without NUL, {@code from} is greater than {@code to}, or
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
                    "'from' must not come after 'to'; to read from the last key to the first, use reversed()");
        }
        if (maxEntries < 0) {
            throw new IllegalArgumentException("'limit' must not be negative, but is " + maxEntries);
        }
    }

    /**
     * Returns the range of all keys.
     *
     * @return the range
     */
    public static KeyRange all() {
        return new KeyRange(null, null, false, Long.MAX_VALUE);
    }

    /**
     * Returns the range of the keys between two bounds.
     *
     * @param from the lower bound, inclusive
     * @param to the upper bound, exclusive; the range is empty if both are the same
     * @return the range
     */
    public static KeyRange between(String from, String to) {
        return new KeyRange(Names.requirePrefix(from, "from"), Names.requirePrefix(to, "to"), false, Long.MAX_VALUE);
    }

    /**
     * Returns the range of the keys from a lower bound on.
     *
     * @param from the lower bound, inclusive
     * @return the range
     */
    public static KeyRange from(String from) {
        return new KeyRange(Names.requirePrefix(from, "from"), null, false, Long.MAX_VALUE);
    }

    /**
     * Returns the range of the keys below an upper bound.
     *
     * @param to the upper bound, exclusive
     * @return the range
     */
    public static KeyRange to(String to) {
        return new KeyRange(null, Names.requirePrefix(to, "to"), false, Long.MAX_VALUE);
    }

    /**
     * Returns the range of the keys that start with a prefix. No character has a special meaning.
     *
     * @param prefix the prefix; empty for all keys
     * @return the range
     */
    public static KeyRange prefix(String prefix) {
        Names.requirePrefix(prefix, "prefix");
        return prefix.isEmpty() ? all() : new KeyRange(prefix, Utf8.afterPrefix(prefix), false, Long.MAX_VALUE);
    }

    /**
     * Returns the same keys in the opposite direction.
     *
     * @return the range
     */
    public KeyRange reversed() {
        return new KeyRange(from, to, !isReversed, maxEntries);
    }

    /**
     * Returns the keys of this range that come after a key, in the direction of the range. Use it to continue after the
     * last entry of a page.
     *
     * @param key the key, with or without an entry, inside the bounds or outside
     * @return the range, with the same limit
     */
    public KeyRange after(String key) {
        Names.require(key, "key");
        if (isReversed) {
            boolean below = from != null && Utf8.ORDER.compare(key, from) < 0;
            boolean above = to != null && Utf8.ORDER.compare(key, to) > 0;
            return above ? this : new KeyRange(from, below ? from : key, true, maxEntries);
        }
        String next = Utf8.next(key);
        boolean below = from != null && Utf8.ORDER.compare(next, from) < 0;
        boolean above = to != null && Utf8.ORDER.compare(next, to) > 0;
        return below ? this : new KeyRange(above ? to : next, to, false, maxEntries);
    }

    /**
     * Returns the first of these keys, in the direction of the range.
     *
     * @param entries how many at most
     * @return the range
     * @throws IllegalArgumentException if the number is negative
     */
    public KeyRange limit(long entries) {
        return new KeyRange(from, to, isReversed, entries);
    }

    /** Returns a text without the bounds, because they are keys, which may be secrets. */
    @Override
    public String toString() {
        return "KeyRange[reversed=" + isReversed + ", limit=" + maxEntries + "]";
    }
}
