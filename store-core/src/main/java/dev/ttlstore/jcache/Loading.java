package dev.ttlstore.jcache;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;

import org.jspecify.annotations.Nullable;

/**
 * Calls a cache's loader.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Loading<K, V> {

    private final @Nullable CacheLoader<K, V> loader;
    private final boolean readThrough;

    /**
     * Creates it.
     *
     * @param loader the loader; null if there is none
     * @param readThrough whether reads call it
     */
    Loading(@Nullable CacheLoader<K, V> loader, boolean readThrough) {
        this.loader = loader;
        this.readThrough = readThrough;
    }

    boolean exists() {
        return loader != null;
    }

    /** Returns whether a read of a missing entry loads it. */
    boolean isReadThrough() {
        return readThrough && loader != null;
    }

    /** Returns the value; null if there is none. */
    @Nullable
    V load(K key) {
        CacheLoader<K, V> from = loader;
        return from == null ? null : wrap(() -> from.load(key));
    }

    /** Returns the values that there are. */
    Map<K, V> loadAll(Set<K> keys) {
        CacheLoader<K, V> from = loader;
        return from == null ? Map.of() : wrap(() -> from.loadAll(keys));
    }

    private static <R extends @Nullable Object> R wrap(Supplier<R> call) {
        try {
            return call.get();
        } catch (CacheLoaderException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheLoaderException("The cache's loader threw an exception", e);
        }
    }
}
