package dev.ttlstore.engine;

import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What an engine holds and knows.
 *
 * @param totals the numbers of live, expired and retained rows
 * @param sizes the room that the store uses
 * @param node what the engine knows of this process and the others that share its data; null if only this process can use them
 * @since 0.1
 */
public record EngineStats(
        Totals totals, Sizes sizes, @Nullable NodeState node) {

    /**
     * The numbers of entries in a store.
     *
     * @param live the number of visible entries
     * @param expired the number of expired entries that no purge has removed yet
     * @param retained the number of expired entries that were removed and are kept for the retention time
     */
    public record Totals(long live, long expired, long retained) {}

    /**
     * The room that a store uses, in bytes.
     *
     * @param file the size of its file; 0 if there is none
     * @param wal the size of the write-ahead log beside it; 0 if there is none
     */
    public record Sizes(long file, long wal) {

        /** The sizes of a store without a file. */
        public static final Sizes NONE = new Sizes(0, 0);
    }

    /**
     * What an engine knows of this process, where several share its data, and of what slows all of them down.
     *
     * @param node the id of this process, new each time that it opens the store
     * @param others how many other processes listen for changes now
     * @param notified whether the database notifies this process of changes; if not, it polls
     * @param behind for how many milliseconds changes of others may be unknown here; {@link Long#MAX_VALUE} if none were read yet
     * @param oldestSnapshot for how many milliseconds the oldest transaction has kept the database from clearing up removed rows, as
     *     far as the role of this process may see it; 0 if there is none
     * @param hotRatio the share of changed rows that needed no change of an index, since the database counts; null if none was changed
     *     or it does not tell
     * @param lockedCommits how many commits this process has decided itself under locks, by the reason why the database did not
     */
    public record NodeState(
            UUID node,
            int others,
            boolean notified,
            long behind,
            long oldestSnapshot,
            @Nullable Double hotRatio,
            Map<String, Long> lockedCommits) {}
}
