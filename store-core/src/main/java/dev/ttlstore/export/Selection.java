package dev.ttlstore.export;

import java.util.stream.Stream;

import dev.ttlstore.Store;
import dev.ttlstore.StoredEntries;

/**
 * The groups of an export.
 *
 * @param name the full name of one group, or the beginning of the names
 * @param isGroup whether it is the name of one group
 */
record Selection(String name, boolean isGroup) {

    static final Selection ALL = new Selection("", false);

    /** Returns the full names of the groups that come after a name, or are that name, in order. */
    Stream<String> groups(StoredEntries stored, String from) {
        if (isGroup) {
            return Stream.of(name);
        }
        return Stream.concat(from.isEmpty() ? Stream.empty() : Stream.of(from), stored.groups(name, from));
    }

    boolean contains(String group) {
        return isGroup ? group.equals(name) : group.startsWith(name);
    }

    long count(Store store) {
        return isGroup ? store.group(name).count() : store.count(name);
    }

    @Override
    public String toString() {
        return isGroup
                ? "group '" + name + "'"
                : name.isEmpty() ? "all groups" : "groups that begin with '" + name + "'";
    }
}
