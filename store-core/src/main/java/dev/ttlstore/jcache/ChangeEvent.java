package dev.ttlstore.jcache;

import java.io.Serial;

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;

import org.jspecify.annotations.Nullable;

/**
 * A change, as a listener receives it.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
final class ChangeEvent<K, V> extends CacheEntryEvent<K, V> {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Change<K, V> change;

    ChangeEvent(Cache<K, V> source, Change<K, V> change) {
        super(source, change.type());
        this.change = change;
    }

    @Override
    public K getKey() {
        return change.key();
    }

    @Override
    public V getValue() {
        return change.value();
    }

    @Override
    public @Nullable V getOldValue() {
        return change.oldValue();
    }

    @Override
    public boolean isOldValueAvailable() {
        return change.oldValue() != null;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return Unwrapping.cast(this, type);
    }

    /** Returns a text without the key and the values, which may be secrets. */
    @Override
    public String toString() {
        return "ChangeEvent[type=" + change.type() + "]";
    }
}
