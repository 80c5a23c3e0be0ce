package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * Groups that follow each other in the order of their names.
 *
 * @param from the first name that may be in it
 * @param to the first name behind it; null if it has no end
 */
public record GroupRange(String from, @Nullable String to) {

    /** All groups. */
    public static final GroupRange ALL = new GroupRange("", null);

    /**
     * The groups whose names begin alike.
     *
     * @param prefix how they begin; empty for all
     * @return the range
     */
    public static GroupRange prefix(String prefix) {
        return new GroupRange(prefix, Utf8.afterPrefix(prefix));
    }

    /**
     * One group alone.
     *
     * @param group the full group name
     * @return the range
     */
    public static GroupRange only(String group) {
        return new GroupRange(group, Utf8.next(group));
    }

    /**
     * Whether the range is one group alone.
     *
     * @return true if it is
     */
    public boolean isOneGroup() {
        return Utf8.next(from).equals(to);
    }

    /**
     * Whether a group is in the range.
     *
     * @param group the full group name
     * @return true if it is
     */
    public boolean contains(String group) {
        return Utf8.ORDER.compare(group, from) >= 0 && (to == null || Utf8.ORDER.compare(group, to) < 0);
    }
}
