package dev.ttlstore.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The read side of an engine. What a call answers is of one moment. Names are ordered by their UTF-8 bytes; all times are
 * milliseconds since the epoch.
 */
public interface EngineReads {

    /**
     * Reads one row, expired or not.
     *
     * @param key the row
     * @return the row, or null when there is none
     */
    @Nullable
    Row read(RowKey key);

    /**
     * Reads some rows, expired or not.
     *
     * @param keys the rows wanted
     * @return those that exist
     */
    Map<RowKey, Row> read(Collection<RowKey> keys);

    /**
     * Reads live rows of a group.
     *
     * @param scan which, and in which order
     * @return the first of them
     */
    RowPage scan(Scan scan);

    /**
     * Reads what all live rows of a group hold, in key order.
     *
     * @param group the full group name
     * @param now the time to judge expiry by
     * @return their keys and values
     */
    List<KeyValue> readGroup(String group, long now);

    /**
     * Counts the live rows of a group.
     *
     * @param group the full group name
     * @param now the time to judge expiry by
     * @return how many there are
     */
    long count(String group, long now);

    /**
     * Counts the live rows of some groups.
     *
     * @param groups the groups
     * @param now the time to judge expiry by
     * @return how many there are
     */
    long count(GroupRange groups, long now);

    /**
     * Lists groups that have a live row, in order.
     *
     * @param groups the groups to look at
     * @param after the name to go on after; empty to begin
     * @param now the time to judge expiry by; {@link Long#MIN_VALUE} to list groups of expired rows as well
     * @param limit how many names at most
     * @return the next names; fewer than {@code limit} when there are no more
     */
    List<String> groups(GroupRange groups, String after, long now, int limit);

    /**
     * Tells what groups take, expired rows included. The cost grows with their size.
     *
     * @param groups the groups
     * @return those that have rows
     */
    List<GroupUsage> usage(GroupRange groups);

    /**
     * Reads rows by the expiry index. The cost depends on how many there are, not on what the store holds.
     *
     * @param scan which
     * @return the first of them, in the order of the walk
     */
    List<ExpiryRow> expiries(ExpiryScan scan);

    /**
     * Reads rows that have been removed when they had expired, and were retained.
     *
     * @param scan which
     * @return the first of them, in the order of the walk
     */
    List<Row> retained(RetainedScan scan);
}
