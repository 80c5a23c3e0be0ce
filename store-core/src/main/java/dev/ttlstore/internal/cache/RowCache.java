package dev.ttlstore.internal.cache;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * Rows at hand. Any thread reads; the rest is called with the writer's lock held, and tells the cache of a commit: what it
 * changes before the engine commits, and afterwards how that went.
 */
public sealed interface RowCache permits NearCache, NoCache {

    /**
     * Makes a cache.
     *
     * @param maxBytes how much it may take; zero for one that holds nothing and needs no library
     * @return the cache
     */
    static RowCache of(long maxBytes) {
        return maxBytes == 0 ? NoCache.INSTANCE : new NearCache(maxBytes);
    }

    /**
     * Reads one row, expired or not, as a commit left it that was the last one at a moment of this call.
     *
     * @param key the row
     * @param engine where to look for a row that is not at hand
     * @return the row, or null when there is none
     */
    @Nullable
    Row read(RowKey key, EngineReads engine);

    /**
     * Tells a row if it is at hand.
     *
     * @param key the row
     * @return the row as it was last committed, expired or not; null if it is not at hand
     */
    @Nullable
    Row peek(RowKey key);

    /**
     * A row will be another when the engine has committed.
     *
     * @param key the row
     * @param after the row as it will stand; null when it goes
     */
    void change(RowKey key, @Nullable Row after);

    /**
     * All rows of a group will be gone when the engine has committed.
     *
     * @param group the full group name
     */
    void clear(String group);

    /** The engine has committed what was announced. */
    void committed();

    /** The engine has not committed, or it is not known whether it has. */
    void failed();

    /**
     * Tells what the cache has done.
     *
     * @return the counts since it was made
     */
    CacheCounts counts();
}
