package dev.ttlstore.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The usage of a namespace: its rows, including expired ones that were not removed yet. Valid until the commit that has loaded
 * it ends.
 *
 * @param keys how many rows there are
 * @param groups how many groups have a row
 * @param bytes the size of the rows in bytes, as {@link Row#bytes()} counts it
 * @param rows counts the rows of a group of the namespace, by its full name
 * @since 0.1
 */
public record NamespaceUsage(long keys, long groups, long bytes, ToLongFunction<String> rows) {

    /**
     * Adds up the usage of groups.
     *
     * @param all the groups of a namespace that have a row
     * @return the usage of the namespace
     */
    public static NamespaceUsage of(List<GroupUsage> all) {
        Map<String, Long> rows = new HashMap<>();
        long keys = 0;
        long bytes = 0;
        for (GroupUsage usage : all) {
            rows.put(usage.group(), usage.rows());
            keys += usage.rows();
            bytes += usage.bytes();
        }
        return new NamespaceUsage(keys, all.size(), bytes, group -> rows.getOrDefault(group, 0L));
    }

    /**
     * Counts the rows of a group.
     *
     * @param group the full name of a group of the namespace
     * @return how many there are
     */
    public long rowsOf(String group) {
        return rows.applyAsLong(group);
    }
}
