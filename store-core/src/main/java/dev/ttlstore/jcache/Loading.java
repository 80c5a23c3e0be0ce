package dev.ttlstore.jcache;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import javax.cache.configuration.Factory;
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

    Loading(StoreConfiguration<K, V> configuration) {
        Factory<CacheLoader<K, V>> factory = configuration.getCacheLoaderFactory();
        this.loader = factory == null ? null : factory.create();
        this.readThrough = configuration.isReadThrough();
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

    void close() {
        Failures.closeQuietly(loader);
    }
}
