package dev.ttlstore.jcache;

import java.util.Iterator;

import javax.cache.Cache;

import org.jspecify.annotations.Nullable;

import static dev.ttlstore.jcache.Failures.translate;

/**
 * Iterates over a cache. Each entry that it returns counts as read.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class CacheIterator<K, V> implements Iterator<Cache.Entry<K, V>> {

    private final Iterator<Rows.CachedRow<K, V>> rows;
    private final EntryOperations<K, V> operations;
    private final Runnable requireOpen;
    private @Nullable K last;

    CacheIterator(Iterator<Rows.CachedRow<K, V>> rows, EntryOperations<K, V> operations, Runnable requireOpen) {
        this.rows = rows;
        this.operations = operations;
        this.requireOpen = requireOpen;
    }

    @Override
    public boolean hasNext() {
        requireOpen.run();
        return translate(rows::hasNext);
    }

    @Override
    public Cache.Entry<K, V> next() {
        requireOpen.run();
        Rows.CachedRow<K, V> row = translate(rows::next);
        operations.visit(row);
        last = row.key();
        return new CachedEntry<>(row.key(), row.value());
    }

    @Override
    public void remove() {
        requireOpen.run();
        K key = last;
        if (key == null) {
            throw new IllegalStateException("Call next() before remove(), each time");
        }
        last = null;
        boolean unused = operations.remove(key);
    }
}
