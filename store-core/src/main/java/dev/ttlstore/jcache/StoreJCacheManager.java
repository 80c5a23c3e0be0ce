package dev.ttlstore.jcache;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.Configuration;
import javax.cache.spi.CachingProvider;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Store;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.jcache.OpenStores.Lease;

import static dev.ttlstore.jcache.Failures.translate;

/** The caches of a store. Opens the store with the first cache. */
final class StoreJCacheManager implements CacheManager {

    private static final long IDLE_SECONDS = 10;

    /**
     * The names in Hibernate, after the prefix of an application, of the cache in which it notes when it has changed a table. A query
     * result is current if it is younger, or if there is no note. So a note that expires brings old results back, without an error.
     */
    private static final List<String> UPDATE_TIMESTAMPS = List.of(
            "default-update-timestamps-region",
            "org.hibernate.cache.spi.TimestampsRegion",
            "org.hibernate.cache.spi.UpdateTimestampsCache");

    private final CachingProvider provider;
    private final URI uri;
    private final ClassLoader loader;
    private final Properties properties;
    private final Supplier<Lease> opening;
    private final Consumer<StoreJCacheManager> whenClosed;
    private final ExecutorService threads;
    private final Map<String, StoreJCache<?, ?>> caches = new LinkedHashMap<>();
    private @Nullable Lease lease;
    private volatile boolean closed;

    /**
     * Creates a manager.
     *
     * @param provider its provider
     * @param uri its URI
     * @param loader finds the classes of keys and values
     * @param properties its properties
     * @param opening opens the store
     * @param whenClosed called with this manager when it closes
     */
    StoreJCacheManager(
            CachingProvider provider,
            URI uri,
            ClassLoader loader,
            Properties properties,
            Supplier<Lease> opening,
            Consumer<StoreJCacheManager> whenClosed) {
        this.provider = provider;
        this.uri = uri;
        this.loader = loader;
        this.properties = JCacheProperties.copy(properties);
        this.opening = opening;
        this.whenClosed = whenClosed;
        this.threads = threads(loader);
    }

    /** Returns threads for asynchronous listeners and loads. They end when they are not needed for a while. */
    private static ExecutorService threads(ClassLoader loader) {
        BackgroundThreads own = BackgroundThreads.named("ttl-store-jcache");
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> {
                    Thread thread = own.newThread(work);
                    thread.setContextClassLoader(loader);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy()); // only once it is shut down
    }

    @Override
    public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(String cacheName, C configuration) {
        Objects.requireNonNull(cacheName, "'cacheName' must not be null");
        Objects.requireNonNull(configuration, "'configuration' must not be null");
        if (!configuration.isStoreByValue()) {
            throw new UnsupportedOperationException(
                    "A store keeps values, not references; leave out setStoreByValue(false)");
        }
        StoreConfiguration<K, V> copy = StoreConfiguration.copyOf(configuration);
        requireLastingTimestamps(cacheName, copy);
        synchronized (caches) {
            requireOpen();
            if (caches.containsKey(cacheName)) {
                throw new CacheException("There is a cache '" + cacheName + "' already; use getCache");
            }
            LiveKeyspace store = entries();
            StoreJCache<K, V> cache =
                    translate(() -> new StoreJCache<>(this, threads, cacheName, copy, store, this::remove));
            caches.put(cacheName, cache);
            return Failures.orCleanUp(
                    () -> {
                        cache.enableManagement(copy.isManagementEnabled());
                        cache.enableStatistics(copy.isStatisticsEnabled());
                        return cache;
                    },
                    cache::close);
        }
    }

    private static void requireLastingTimestamps(String cacheName, StoreConfiguration<?, ?> configuration) {
        if (UPDATE_TIMESTAMPS.stream().anyMatch(name -> cacheName.equals(name) || cacheName.endsWith("." + name))
                && !Expiries.areEternal(configuration)) {
            throw new IllegalArgumentException(
                    "The configuration of the cache '" + cacheName + "' must have no expiry policy, or an"
                            + " EternalExpiryPolicy: without an entry of this cache, Hibernate takes old results of"
                            + " queries for current ones");
        }
    }

    /** Returns the store's entries. A cache belongs to no transaction of the application, unless a property says so. */
    private LiveKeyspace entries() {
        Store store = lease().store();
        return JCacheProperties.joinsTransactions(properties) ? store : store.outsideTransaction();
    }

    private Lease lease() {
        Lease present = lease;
        if (present == null) {
            present = translate(opening);
            lease = present;
        }
        return present;
    }

    @Override
    public <K, V> @Nullable Cache<K, V> getCache(String cacheName, Class<K> keyType, Class<V> valueType) {
        Objects.requireNonNull(keyType, "'keyType' must not be null");
        Objects.requireNonNull(valueType, "'valueType' must not be null");
        StoreJCache<?, ?> cache = find(cacheName);
        if (cache != null) {
            Configuration<?, ?> configuration = cache.configuration();
            requireSame(cacheName, "keyType", keyType, configuration.getKeyType());
            requireSame(cacheName, "valueType", valueType, configuration.getValueType());
        }
        return retyped(cache);
    }

    private static void requireSame(String cache, String parameter, Class<?> given, Class<?> configured) {
        if (given != configured) {
            throw new ClassCastException("'" + parameter + "' must be " + configured.getName()
                    + ", as the configuration of the cache '" + cache + "' says, but is " + given.getName());
        }
    }

    @Override
    public <K, V> @Nullable Cache<K, V> getCache(String cacheName) {
        return retyped(find(cacheName));
    }

    @SuppressWarnings("unchecked") // the caller says which types it has configured
    private static <K, V> @Nullable Cache<K, V> retyped(@Nullable StoreJCache<?, ?> cache) {
        return (Cache<K, V>) cache;
    }

    @Override
    public Iterable<String> getCacheNames() {
        synchronized (caches) {
            requireOpen();
            return List.copyOf(caches.keySet());
        }
    }

    /** Closes the cache, if there is one, and deletes its entries, also those of an earlier process. */
    @Override
    public void destroyCache(String cacheName) {
        Objects.requireNonNull(cacheName, "'cacheName' must not be null");
        synchronized (caches) {
            requireOpen();
            StoreJCache<?, ?> cache = caches.get(cacheName);
            if (cache != null) {
                cache.close();
            }
            LiveKeyspace store = entries();
            String group = CacheRows.PREFIX + cacheName;
            long unused = translate(() -> store.deleteGroup(group));
            Listeners.forgetExpiries(store, group);
        }
    }

    /** Forgets a cache that was closed. */
    private void remove(StoreJCache<?, ?> cache) {
        synchronized (caches) {
            caches.remove(cache.getName(), cache);
        }
    }

    @Override
    public void enableManagement(String cacheName, boolean enabled) {
        StoreJCache<?, ?> cache = find(cacheName);
        if (cache != null) {
            cache.enableManagement(enabled);
        }
    }

    @Override
    public void enableStatistics(String cacheName, boolean enabled) {
        StoreJCache<?, ?> cache = find(cacheName);
        if (cache != null) {
            cache.enableStatistics(enabled);
        }
    }

    private @Nullable StoreJCache<?, ?> find(String cacheName) {
        Objects.requireNonNull(cacheName, "'cacheName' must not be null");
        synchronized (caches) {
            requireOpen();
            return caches.get(cacheName);
        }
    }

    @Override
    public CachingProvider getCachingProvider() {
        return provider;
    }

    @Override
    public URI getURI() {
        return uri;
    }

    @Override
    public ClassLoader getClassLoader() {
        return loader;
    }

    @Override
    public Properties getProperties() {
        return properties;
    }

    /** Gives the store, for everything that JCache has no words for. */
    @Override
    public <T> T unwrap(Class<T> type) {
        synchronized (caches) {
            requireOpen();
            return type.isInstance(this) ? type.cast(this) : ArgumentChecks.unwrap(lease().store(), type);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The cache manager is closed; get a new one from the provider");
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** Closes the caches, and the store if this manager is the last that has opened it. The entries stay. */
    @Override
    public void close() {
        whenClosed.accept(this);
        synchronized (caches) {
            if (closed) {
                return;
            }
            List.copyOf(caches.values()).forEach(StoreJCache::close);
            closed = true;
            threads.shutdown(); // running work may finish
            if (lease != null) {
                lease.giveBack().run();
            }
        }
    }
}
