package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * A range of groups, in the order of their names.
 *
 * @param from the lower bound, inclusive
 * @param to the upper bound, exclusive; null for none
 * @since 0.1
 */
public record GroupRange(String from, @Nullable String to) {

    /** All groups. */
    public static final GroupRange ALL = new GroupRange("", null);

    /**
     * Returns the range of the groups whose name starts with a prefix.
     *
     * @param prefix the prefix; empty for all groups
     * @return the range
     */
    public static GroupRange prefix(String prefix) {
        return new GroupRange(prefix, Utf8.afterPrefix(prefix));
    }

    /**
     * Returns the range of one group.
     *
     * @param group the full group name
     * @return the range
     */
    public static GroupRange only(String group) {
        return new GroupRange(group, Utf8.next(group));
    }

    /**
     * Returns the rest of this range.
     *
     * @param last the last group so far, which is in the range
     * @return the range of the groups after it
     */
    public GroupRange after(String last) {
        return new GroupRange(Utf8.next(last), to);
    }

    /**
     * Returns whether the range is exactly one group.
     *
     * @return true if it is
     */
    public boolean isOneGroup() {
        return Utf8.next(from).equals(to);
    }

    /**
     * Returns whether a group is in the range.
     *
     * @param group the full group name
     * @return true if it is
     */
    public boolean contains(String group) {
        return Utf8.ORDER.compare(group, from) >= 0 && (to == null || Utf8.ORDER.compare(group, to) < 0);
    }

    /**
     * Returns the range as messages call it.
     *
     * @return such as {@code the group 'invites'}
     */
    public String described() {
        if (isOneGroup()) {
            return "the group '" + from + "'";
        }
        return equals(ALL) ? "all groups" : "the groups from '" + from + "' on";
    }
}
