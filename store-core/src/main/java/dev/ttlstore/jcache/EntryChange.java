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
 * @param bytes the size of the values as they are stored
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
record EntryChange<K, V>(
        EventType type, K key, V value, @Nullable V oldValue, long bytes) {

    /** Returns a text without the key and the values, which may be secrets. */
    @Override
    public String toString() {
        return "EntryChange[type=" + type + "]";
    }
}
