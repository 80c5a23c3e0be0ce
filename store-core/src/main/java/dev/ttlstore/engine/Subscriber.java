package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * A subscriber to expired entries, stored with the rows.
 *
 * @param name its name
 * @param groups the groups whose entries it gets
 * @param nameInScopes if not null, it gets only those of these groups that have this name in a namespace
 * @since 0.1
 */
public record Subscriber(
        String name, GroupRange groups, @Nullable String nameInScopes) {

    /**
     * Creates a subscriber to all groups of a range.
     *
     * @param name its name
     * @param groups the groups
     */
    public Subscriber(String name, GroupRange groups) {
        this(name, groups, null);
    }

    /**
     * Creates a subscriber to the group of a name in every namespace.
     *
     * @param name its name
     * @param nameInScopes the name of the group in each namespace
     * @return the subscriber
     */
    public static Subscriber inEveryScope(String name, String nameInScopes) {
        return new Subscriber(name, GroupRange.ALL, nameInScopes);
    }

    /**
     * Returns whether the subscriber gets the entries of a group.
     *
     * @param group the full group name
     * @return true if it does
     */
    public boolean selects(String group) {
        return groups.contains(group) && (nameInScopes == null || Namespaces.isInSome(group, nameInScopes));
    }
}
