package dev.ttlstore.internal.cache;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * A cache of rows; one that holds nothing unless a method says otherwise. Any thread reads, and any thread drops what other processes have
 * changed. Writers announce what they {@linkplain Changes change}; of data that one process owns, one writer at a time does. Thread-safe.
 */
public interface RowCache {

    /** Holds nothing. */
    RowCache NONE = new RowCache() {};

    /**
     * Makes a cache.
     *
     * @param maxBytes its size in bytes at most; zero for a cache that holds nothing and needs no library
     * @param shared whether other processes change the data, too; then only {@link #recent} answers from the cache
     * @return the cache
     */
    static RowCache of(long maxBytes, boolean shared) {
        return maxBytes == 0 ? NONE : new NearCache(maxBytes, shared);
    }

    /**
     * Reads a row, live or expired, as the last commit at some moment of this call left it. An expired one may have been purged.
     *
     * @param key the key of the row
     * @param engine reads rows that are not cached
     * @return the row; null if there is none
     */
    default @Nullable Row read(RowKey key, Reads engine) {
        return engine.get(key, Reads.ALL);
    }

    /**
     * Reads a live row of data that other processes change too. It may be older than the last commit for as long as the engine's
     * reports take.
     *
     * @param key the key of the row
     * @param engine reads the row if it is not cached
     * @return the row; null if there is none
     */
    default @Nullable Row recent(RowKey key, Engine engine) {
        return engine.reads().get(key, Reads.NOW);
    }

    /**
     * Returns a row if it is cached.
     *
     * @param key the key of the row
     * @return the row as of the last commit if it is live; an expired one may have been purged; null if none is cached
     */
    default @Nullable Row peek(RowKey key) {
        return null;
    }

    /**
     * Returns the changes of a writer, which commits one batch after the other.
     *
     * @return none so far, for one thread at a time
     */
    default Changes changes() {
        return Changes.NONE;
    }

    /**
     * Drops a row that another process has changed, or a purge has removed. A read in progress keeps none under this key.
     *
     * @param key the key of the row
     */
    default void drop(RowKey key) {}

    /**
     * Drops all rows of a group that another process has deleted.
     *
     * @param group the full group name
     */
    default void dropGroup(String group) {}

    /** Drops all rows, because changes of other processes were missed. */
    default void dropAll() {}

    /**
     * Returns what the cache has done.
     *
     * @return the counts since it was created
     */
    default Counts counts() {
        return new Counts(0, 0, 0, 0);
    }

    /**
     * The rows that a commit changes. They are announced before the engine commits, and so is the outcome afterwards. Used by one thread at a
     * time.
     */
    interface Changes {

        /** For nobody. */
        Changes NONE = new Changes() {};

        /**
         * Announces a change of a row.
         *
         * @param key the key of the row
         * @param after the row after the commit; null if it is removed, or not known
         */
        default void change(RowKey key, @Nullable Row after) {}

        /**
         * Announces that all rows of a group are removed.
         *
         * @param group the full group name
         */
        default void clear(String group) {}

        /** Reports that the engine has committed the announced changes. */
        default void committed() {}

        /** Reports that the engine has not committed, or that the outcome is unknown. */
        default void failed() {}
    }

    /**
     * What a cache has done.
     *
     * @param hits the number of reads that it answered
     * @param misses the number of reads that it passed on
     * @param evictions the number of rows that it evicted to make room
     * @param bytes its current size
     */
    record Counts(long hits, long misses, long evictions, long bytes) {}
}
