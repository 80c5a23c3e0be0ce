package dev.ttlstore.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads rows outside transactions, and judges which of them are live. An engine implements this if the time by which
 * entries expire belongs to its database, so that a read and its judgement take one round trip.
 *
 * <p>Each call judges all its rows as of one moment, the engine's present time, which lies between the start and the
 * end of the call. A scan may carry a time of its own. It is ignored, except to count. No reader ever sees an entry again
 * after any reader, in any process, has seen it expired. So before a call reports an entry as expired, it makes sure
 * that no commit in progress renews it.
 *
 * <p>Names are ordered by their UTF-8 bytes. All times are in milliseconds since the epoch. Any thread may call any
 * method. Failures are thrown as exceptions of {@code dev.ttlstore.exception}; after {@link Engine#close()}, that is
 * {@code StoreClosedException}.
 */
public interface LiveReads {

    /** The time of a count that asks for the entries that are live now. */
    long NOW = Long.MIN_VALUE;

    /**
     * Returns a time that the engine's present time has not passed. A row that this process has kept is live if it does not expire
     * before that time, and if nothing was reported that changes it: all changes that were committed more than a moment ago have
     * been reported ({@link RemoteChanges}).
     *
     * @return milliseconds since the epoch; {@link Long#MAX_VALUE} if the changes of the last moments have not been reported, so
     *     that no kept row counts
     */
    default long latestNow() {
        return Long.MAX_VALUE;
    }

    /**
     * Tests whether the reports of changes have come to the commit that wrote a row. Only then is it reported, too, if that commit is
     * lost, as after a restore of the database. So a row must not be kept before.
     *
     * @param row a row that was read
     * @return true if a loss of the row would be reported
     */
    default boolean hasFollowed(Row row) {
        return true;
    }

    /**
     * Reads a row.
     *
     * @param key its key
     * @return the live row; null if there is none
     */
    @Nullable
    Row read(RowKey key);

    /**
     * Reads some rows.
     *
     * @param keys their keys
     * @return the live ones; a map that the caller may change
     */
    Map<RowKey, Row> read(Collection<RowKey> keys);

    /**
     * Reads the keys and values of all live rows of a group.
     *
     * @param group the full group name
     * @return keys and values, in key order; nobody else uses their bytes
     */
    List<KeyValue> readGroup(String group);

    /**
     * Reads a page of live rows of a group.
     *
     * @param scan the page; its time is ignored
     * @return the rows, and whether there may be more
     */
    RowPage scan(Scan scan);

    /**
     * Reads a page of live rows of a group, in the order of their creation. Only for the groups of
     * {@link EngineSettings#ageIndexes}. The cost depends on the size of the page, not on the size of the group.
     *
     * @param scan the page; its time is ignored
     * @return the rows, and whether there may be more
     */
    RowPage created(AgeScan scan);

    /**
     * Counts the rows of some groups that are live both now and at a time.
     *
     * @param groups the groups
     * @param at the time, which may be in the future; an earlier one than the engine's present time, such as
     *     {@link #NOW}, counts as that
     * @return how many there are
     */
    long count(GroupRange groups, long at);

    /**
     * Counts the rows of a range of a group that are live both now and at the time of the scan.
     *
     * @param scan the range, and the time, which may be in the future; an earlier one than the engine's present time,
     *     such as {@link #NOW}, counts as that. Its direction and limit do not count
     * @return how many there are
     */
    long count(Scan scan);

    /**
     * Lists groups that have a live row, in order.
     *
     * @param groups the groups to look at
     * @param after the name after which the list starts; empty for the first
     * @param limit how many names at most
     * @return the next names; fewer than {@code limit} if there are no more
     */
    List<String> groups(GroupRange groups, String after, int limit);

    /**
     * Starts a walk over live rows in the order of their expiry. Each page holds the rows that are live when the page is read;
     * it may hold fewer than the page size, although there are more. The cost of a page depends on its size, not on the
     * size of the store.
     *
     * @param scan selects the rows
     * @return the walk, for one thread
     */
    ExpiryWalk expiries(ExpiryScan scan);

    /**
     * Starts a walk over rows that have expired and are not removed yet, in the order of their expiry. Each page leaves
     * out rows that are still live when the page is read. The cost of a page depends on its size, not on the size of the store.
     *
     * @param scan selects the rows
     * @return the walk, for one thread
     */
    ExpiryWalk expired(ExpiryScan scan);
}
