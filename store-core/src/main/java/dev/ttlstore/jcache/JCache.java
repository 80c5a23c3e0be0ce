package dev.ttlstore.jcache;

import java.net.URI;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;

import javax.cache.CacheManager;

import dev.ttlstore.Store;

/**
 * Makes JCache managers for open stores, such as those of a Spring Boot application, or in PostgreSQL.
 *
 * <pre>{@code
 * CacheManager manager = JCache.of(store);
 * Cache<String, Long> prices = manager.createCache(
 *         "prices", new MutableConfiguration<String, Long>().setTypes(String.class, Long.class));
 * }</pre>
 *
 * <p>{@link StoreCachingProvider} makes managers for stores that it opens itself.
 *
 * @since 0.1
 * @see StoreCachingProvider
 * @see StoreConfiguration
 */
public final class JCache {

    private static final AtomicLong BOUND = new AtomicLong();

    private JCache() {}

    /**
     * Returns a manager of caches in a store. Keep one for each store: a second one has the same entries, but caches,
     * listeners and statistics of its own. The classes of keys and values are found by the context class loader of the
     * calling thread, or by that of this class if there is none.
     *
     * @param store the store, which stays open when the manager is closed
     * @return the manager
     */
    public static CacheManager of(Store store) {
        StoreCachingProvider provider = new StoreCachingProvider();
        return of(store, provider.getDefaultClassLoader(), new Properties());
    }

    /**
     * Returns a manager of caches in a store, as {@link #of(Store)} does.
     *
     * @param store the store, which stays open when the manager is closed
     * @param loader finds the classes of keys and values
     * @param properties the properties, as {@link StoreCachingProvider} describes them
     * @return the manager
     * @throws IllegalArgumentException if a property is unknown or malformed
     */
    public static CacheManager of(Store store, ClassLoader loader, Properties properties) {
        Objects.requireNonNull(store, "'store' must not be null");
        Objects.requireNonNull(loader, "'loader' must not be null");
        Objects.requireNonNull(properties, "'properties' must not be null");
        return new StoreCachingProvider()
                .add(
                        URI.create("ttl-store:open-" + BOUND.incrementAndGet()),
                        loader,
                        properties,
                        () -> new OpenStores.Lease(store, () -> {}));
    }
}
