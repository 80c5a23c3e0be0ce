package dev.ttlstore.internal.cache;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * A cache of rows that other processes change too. A row that one of them has changed is dropped when the engine reports the
 * change, so a row may be older than the last commit for a moment. Only reads that allow for that are answered from it ({@link
 * #recent}): no write decides by it.
 */
public final class SharedCache implements RowCache {

    private final NearCache cache;

    /**
     * Makes a cache.
     *
     * @param maxBytes its size in bytes at most
     */
    public SharedCache(long maxBytes) {
        this.cache = new NearCache(maxBytes);
    }

    /**
     * Reads a live row, which may be older than the last commit for as long as the engine's reports take.
     *
     * @param key the key of the row
     * @param engine reads the row if it is not cached
     * @return the row; null if there is none
     */
    public @Nullable Row recent(RowKey key, Engine engine) {
        return cache.recent(key, engine);
    }

    @Override
    public @Nullable Row read(RowKey key, Reads engine) {
        return engine.get(key, Reads.ALL);
    }

    @Override
    public @Nullable Row peek(RowKey key) {
        return null;
    }

    /** Removes the row. It does not return after the commit: a reader may have seen a later one of another process. */
    @Override
    public void change(RowKey key, @Nullable Row after) {
        cache.change(key, null);
    }

    @Override
    public void clear(String group) {
        cache.clear(group);
    }

    @Override
    public void drop(RowKey key) {
        cache.drop(key);
    }

    @Override
    public void dropGroup(String group) {
        cache.dropGroup(group);
    }

    @Override
    public void dropAll() {
        cache.dropAll();
    }

    @Override
    public void committed() {
        cache.committed();
    }

    @Override
    public void failed() {
        cache.failed();
    }

    @Override
    public Counts counts() {
        return cache.counts();
    }
}
