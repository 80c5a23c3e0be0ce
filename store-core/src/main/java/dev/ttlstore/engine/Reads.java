package dev.ttlstore.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads rows: those of a store, those that a transaction sees, or those that a commit is decided from. Names are ordered by their
 * UTF-8 bytes. All times are in milliseconds since the epoch.
 *
 * <p>Each call reads and judges all its rows as of one moment. Which rows it finds depends on a time that the caller gives: those
 * that are live then, or {@link #ALL}, or those that are live {@link #NOW}. For a store and an engine on data of several processes,
 * a time that has passed counts as {@link #NOW}. A commit, a snapshot and an engine that one process owns take a time as it is, and
 * are not asked for {@link #NOW}.
 *
 * @since 0.1
 */
public interface Reads {

    /** The time of a read that finds expired rows, too, as they were committed. */
    long ALL = Long.MIN_VALUE;

    /**
     * The time of a read that finds the rows that are live now: in a transaction at its time, and otherwise at a time between the
     * start and the end of the call. No reader, in any process, ever sees an entry again after any reader has seen it expired. So
     * before a call reports an entry as expired, it makes sure that no commit in progress renews it.
     */
    long NOW = Long.MIN_VALUE + 1;

    /**
     * The time of a read as with {@link #NOW}, for one row that may be older than the last commit. If other processes write too, and
     * the near cache is on, it may be older for as long as their reports take. Nothing is decided by it, and its expiry may
     * have been moved to a later time. Only a store's reads know it, not those of an engine.
     */
    long RECENT = Long.MIN_VALUE + 2;

    /**
     * Reads a row.
     *
     * @param key its key
     * @param at the time at which it is live; {@link #ALL}, {@link #NOW} or {@link #RECENT}
     * @return the row; null if there is none
     */
    @Nullable
    Row get(RowKey key, long at);

    /**
     * Reads some rows.
     *
     * @param keys their keys
     * @param at the time at which they are live; {@link #ALL} or {@link #NOW}
     * @return those that are found; a map that the caller may change
     */
    Map<RowKey, Row> get(Collection<RowKey> keys, long at);

    /**
     * Reads a page: of a group, by key or by creation, or of retained rows. The cost of a page by creation or of retained rows
     * depends on its size, not on how many rows there are.
     *
     * @param scan the page
     * @return the rows, and whether there may be more
     */
    RowPage page(Scan scan);

    /**
     * Counts rows.
     *
     * @param scan some groups, or a range of keys of one; the time may be in the future, and then only what is live now counts, too.
     *     Its direction and limit do not count
     * @return how many there are
     */
    long count(Scan scan);

    /**
     * Lists groups that have a row, in order. The cost depends on the number of groups, not of rows.
     *
     * @param scan the groups to look at, and whether for {@linkplain Scan#retained retained rows}
     * @return the first of the groups; fewer than the limit if there are no more
     */
    List<GroupInfo> groups(Scan scan);

    /**
     * Starts a walk over rows in the order of their expiry. The cost of a page depends on its size, not on the size of the store.
     *
     * @param scan selects the rows
     * @return the walk, for one thread
     */
    ExpiryWalk expiring(ExpiryScan scan);
}
