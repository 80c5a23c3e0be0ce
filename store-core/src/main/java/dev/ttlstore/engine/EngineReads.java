package dev.ttlstore.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The read side of an engine. Each call reads one snapshot. Names are ordered by their UTF-8 bytes. All times are in
 * milliseconds since the epoch.
 */
public interface EngineReads {

    /**
     * Reads a row, live or expired.
     *
     * @param key the key of the row
     * @return the row; null if there is none
     */
    @Nullable
    Row read(RowKey key);

    /**
     * Reads some rows, live or expired.
     *
     * @param keys the keys of the rows
     * @return those that exist, in a map that the caller may change
     */
    Map<RowKey, Row> read(Collection<RowKey> keys);

    /**
     * Reads a page of live rows of a group.
     *
     * @param scan the page
     * @return the rows, and whether there may be more
     */
    RowPage scan(Scan scan);

    /**
     * Reads a page of live rows of a group, in the order of their creation. Only for the groups of
     * {@link EngineSettings#ageIndexes}. The cost depends on the size of the page, not on the size of the group.
     *
     * @param scan the page
     * @return the rows, and whether there may be more
     */
    RowPage created(AgeScan scan);

    /**
     * Reads the keys and values of all live rows of a group.
     *
     * @param group the full group name
     * @param now the time at which rows are live
     * @return keys and values, in key order; nobody else uses their bytes
     */
    List<KeyValue> readGroup(String group, long now);

    /**
     * Counts the live rows of a range of a group.
     *
     * @param scan the range; its direction and limit do not count
     * @return how many there are
     */
    long count(Scan scan);

    /**
     * Counts the live rows of some groups.
     *
     * @param groups the groups
     * @param now the time at which rows are live
     * @return how many there are
     */
    long count(GroupRange groups, long now);

    /**
     * Lists groups that have a live row, in order.
     *
     * @param groups the groups to look at
     * @param after the name after which the list starts; empty for the first
     * @param now the time at which rows are live; {@link Long#MIN_VALUE} to include groups of expired rows
     * @param limit how many names at most
     * @return the next names; fewer than {@code limit} if there are no more
     */
    List<String> groups(GroupRange groups, String after, long now, int limit);

    /**
     * Returns how much room groups use, including expired rows. The cost grows with their size.
     *
     * @param groups the groups
     * @return the usage of each group that has rows
     */
    List<GroupUsage> usage(GroupRange groups);

    /**
     * Starts a walk over rows in the order of their expiry. The cost of a page depends on its size, not on the size of the
     * store.
     *
     * @param scan selects the rows
     * @return the walk
     */
    ExpiryWalk expiries(ExpiryScan scan);

    /**
     * Reads a page of retained rows: rows that had expired, and were kept when they were removed.
     *
     * @param scan the page
     * @return the rows, in the order of the scan
     */
    List<Row> retained(RetainedScan scan);

    /**
     * Lists groups that have retained rows, in order. The cost depends on the number of groups, not of rows.
     *
     * @param groups the groups to look at
     * @param after the name after which the list starts; empty for the first
     * @param limit how many groups at most
     * @return the next groups; fewer than {@code limit} if there are no more
     */
    List<RetainedGroup> retainedGroups(GroupRange groups, String after, int limit);
}
