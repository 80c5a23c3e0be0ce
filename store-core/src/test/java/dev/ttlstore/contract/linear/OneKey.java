package dev.ttlstore.contract.linear;

import dev.ttlstore.Keyspace;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

/**
 * A key in a group of its own, so that what is said of the group is said of the key.
 *
 * @param store the store
 * @param name the name of the group
 */
public record OneKey(Store store, String name) {

    /** The key's name. */
    public static final String KEY = "key";

    /** The group. */
    public TextGroup group() {
        return group(store);
    }

    /** The group, as a part of the store hands it out. */
    public TextGroup group(Keyspace keyspace) {
        return keyspace.group(name);
    }
}
