package dev.ttlstore.jcache;

import javax.cache.event.EventType;

import org.jspecify.annotations.Nullable;

/**
 * A change of an entry.
 *
 * @param type what has happened
 * @param key the key
 * @param value the new value; for an entry that is gone, the last one
 * @param oldValue the value before; null if there was none
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
record Change<K, V>(
        EventType type, K key, V value, @Nullable V oldValue) {

    static <K, V> Change<K, V> created(K key, V value) {
        return new Change<>(EventType.CREATED, key, value, null);
    }

    static <K, V> Change<K, V> updated(K key, V value, V oldValue) {
        return new Change<>(EventType.UPDATED, key, value, oldValue);
    }

    static <K, V> Change<K, V> gone(EventType type, K key, V lastValue) {
        return new Change<>(type, key, lastValue, lastValue);
    }

    /** Returns a text without the key and the values, which may be secrets. */
    @Override
    public String toString() {
        return "Change[type=" + type + "]";
    }
}
