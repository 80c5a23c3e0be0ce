package dev.ttlstore.jcache;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.jcache.CacheRows.CachedRow;

/**
 * What an operation of a cache does to an entry.
 *
 * @param kind what to do
 * @param through whether the cache's writer does it first
 * @param value the value to set; null if none is set
 * @param answer the answer to the caller
 * @param <V> the type of the value
 * @param <R> the type of the answer
 */
record EntryAction<V, R>(
        Kind kind, boolean through, @Nullable V value, R answer) {

    /** What to do. */
    enum Kind {
        NOTHING,
        ACCESS,
        SET,
        REMOVE
    }

    /**
     * Decides what to do to an entry. It is asked again if another writer was faster.
     *
     * @param <K> the type of the key
     * @param <V> the type of the value
     * @param <R> the type of the answer
     */
    @FunctionalInterface
    interface Decision<K, V, R> {

        /** Decides, by the live entry; null if there is none. */
        EntryAction<V, R> decide(@Nullable CachedRow<K, V> row);
    }

    static <V, R> EntryAction<V, R> nothing(R answer) {
        return new EntryAction<>(Kind.NOTHING, false, null, answer);
    }

    /** Reads the entry, which may prolong its life. */
    static <V, R> EntryAction<V, R> access(R answer) {
        return new EntryAction<>(Kind.ACCESS, false, null, answer);
    }

    /** Writes a value. */
    static <V, R> EntryAction<V, R> write(V value, R answer) {
        return new EntryAction<>(Kind.SET, true, value, answer);
    }

    /** Stores a value that the writer does not need, because it comes from the loader, or is written already. */
    static <V, R> EntryAction<V, R> store(V value, R answer) {
        return new EntryAction<>(Kind.SET, false, value, answer);
    }

    /** Removes the entry, also for the writer. */
    static <V, R> EntryAction<V, R> remove(R answer) {
        return new EntryAction<>(Kind.REMOVE, true, null, answer);
    }

    /** Removes the entry from the store only. */
    static <V, R> EntryAction<V, R> discard(R answer) {
        return new EntryAction<>(Kind.REMOVE, false, null, answer);
    }
}
