package dev.ttlstore.jcache;

import javax.cache.Cache;

/**
 * An entry of a cache, for the caller.
 *
 * @param key the key
 * @param value the value
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
record CachedEntry<K, V>(K key, V value) implements Cache.Entry<K, V> {

    @Override
    public K getKey() {
        return key;
    }

    @Override
    public V getValue() {
        return value;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return ArgumentChecks.unwrap(this, type);
    }

    /** Returns a text without the key and the value, which may be secrets. */
    @Override
    public String toString() {
        return "CachedEntry";
    }
}
