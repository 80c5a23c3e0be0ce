package dev.ttlstore.spring.recent;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

/**
 * What this instance has seen of entries lately, by their keys. Other instances change entries too, so it may be out of
 * date. Use it only where the store notices that: for a write that requires the seen version, or for a place to look at
 * first. It keeps what was used last, up to a number of bytes. Thread-safe.
 *
 * @param <V> what is remembered of an entry
 * @since 0.1
 * @see dev.ttlstore.LiveKeyspace
 */
public final class Recent<V> {

    /** What an entry takes beside the characters of its key and its value. */
    private static final long OVERHEAD = 160;

    private final long maxBytes;
    private final ToLongFunction<? super V> sizes;

    /** Guarded by itself, like the number of bytes. */
    private final Map<String, V> values = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /**
     * Remembers nothing yet.
     *
     * @param maxBytes how many bytes it takes at most
     * @param sizes returns how many bytes a value takes
     */
    public Recent(long maxBytes, ToLongFunction<? super V> sizes) {
        this.maxBytes = maxBytes;
        this.sizes = sizes;
    }

    /**
     * Remembers a value instead of an earlier one.
     *
     * @param key the key of the entry
     * @param value what to remember
     */
    public void put(String key, V value) {
        synchronized (values) {
            V before = values.put(key, value);
            bytes += size(key, value) - (before == null ? 0 : size(key, before));
            Iterator<Map.Entry<String, V>> eldest = values.entrySet().iterator();
            while (bytes > maxBytes && eldest.hasNext()) {
                Map.Entry<String, V> entry = eldest.next();
                bytes -= size(entry.getKey(), entry.getValue());
                eldest.remove();
            }
        }
    }

    private long size(String key, V value) {
        return OVERHEAD + 2L * key.length() + sizes.applyAsLong(value);
    }

    /**
     * {@return what is remembered; null if nothing is}
     *
     * @param key the key of the entry
     */
    public @Nullable V get(String key) {
        synchronized (values) {
            return values.get(key);
        }
    }

    /**
     * Forgets a value.
     *
     * @param key the key of the entry
     * @return what was remembered; null if nothing was
     */
    public @Nullable V remove(String key) {
        synchronized (values) {
            V removed = values.remove(key);
            if (removed != null) {
                bytes -= size(key, removed);
            }
            return removed;
        }
    }
}
