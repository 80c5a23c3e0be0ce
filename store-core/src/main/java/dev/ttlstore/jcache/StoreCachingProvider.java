package dev.ttlstore.jcache;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElseGet;

/**
 * The JCache provider of TTL Store, for {@code Caching.getCachingProvider("dev.ttlstore.jcache.StoreCachingProvider")}.
 * JCache finds it only by this name, so that an application with another provider does not suddenly have two. {@link
 * JCache} makes managers for stores that are open already.
 *
 * <pre>{@code
 * CachingProvider provider = Caching.getCachingProvider("dev.ttlstore.jcache.StoreCachingProvider");
 * CacheManager manager = provider.getCacheManager(URI.create("file:caches.db"), null, null);
 * }</pre>
 *
 * <p>The URI of a manager names its store: {@code file:///var/lib/app/caches.db} for a file, {@code file:caches.db} for a
 * file in the working directory, or {@code ttl-store:memory}. The default is {@code file:ttl-store-jcache.db}, or the
 * value of the system property {@code dev.ttlstore.jcache.uri}. The manager opens the store with its first cache, and the
 * last manager of the store closes it.
 *
 * <p>A manager has two properties. System properties of the same names are the defaults.
 *
 * <ul>
 *   <li>{@code dev.ttlstore.jcache.allowed-classes}: the classes of keys and values that may be serialized, separated by
 *       commas. Java's classes that hold values, and the types of the cache's configuration, are always allowed. {@code
 *       com.example.*} stands for the classes of a package, {@code com.example.**} also for those below it.
 *   <li>{@code dev.ttlstore.jcache.join-transactions}: {@code true} if caches take part in transactions of the application
 *       that the store joins. By default they do not: a put stays even if the transaction rolls back, and a read-only
 *       transaction can fill a cache.
 * </ul>
 *
 * <p>A manager belongs to a class loader, which finds the classes of keys and values. The default is the context class
 * loader of the thread that asks for the manager.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 * @see JCache
 * @see StoreConfiguration
 */
public final class StoreCachingProvider implements CachingProvider {

    private final Map<ClassLoader, Map<URI, StoreJCacheManager>> managers = new HashMap<>();

    /** Creates a provider without managers. */
    public StoreCachingProvider() {}

    @Override
    public CacheManager getCacheManager(
            @Nullable URI uri, @Nullable ClassLoader classLoader, @Nullable Properties properties) {
        URI at = requireNonNullElseGet(uri, this::getDefaultURI);
        ClassLoader loader = requireNonNullElseGet(classLoader, this::getDefaultClassLoader);
        synchronized (managers) {
            StoreJCacheManager present = managersOf(loader).get(at);
            if (present != null) {
                return present;
            }
            OpenStores.Location location = OpenStores.Location.of(at);
            return add(
                    at,
                    loader,
                    requireNonNullElseGet(properties, this::getDefaultProperties),
                    () -> OpenStores.lease(location));
        }
    }

    /** Adds a manager. */
    StoreJCacheManager add(URI uri, ClassLoader loader, Properties properties, Supplier<OpenStores.Lease> opening) {
        synchronized (managers) {
            StoreJCacheManager manager = new StoreJCacheManager(this, uri, loader, properties, opening, this::remove);
            managers.computeIfAbsent(loader, any -> new HashMap<>()).put(uri, manager);
            return manager;
        }
    }

    /** Forgets a manager that was closed. */
    private void remove(StoreJCacheManager manager) {
        synchronized (managers) {
            Map<URI, StoreJCacheManager> remaining = managers.get(manager.getClassLoader());
            if (remaining != null && remaining.remove(manager.getURI(), manager) && remaining.isEmpty()) {
                managers.remove(manager.getClassLoader());
            }
        }
    }

    private Map<URI, StoreJCacheManager> managersOf(ClassLoader loader) {
        return managers.getOrDefault(loader, Map.of());
    }

    /**
     * Returns the context class loader of the calling thread, which finds the classes of the application where those of the
     * libraries are loaded before them, as with Spring Boot's DevTools and in web servers; the loader of this class if there is
     * none.
     */
    @Override
    public ClassLoader getDefaultClassLoader() {
        return requireNonNullElseGet(
                Thread.currentThread().getContextClassLoader(),
                () -> requireNonNull(StoreCachingProvider.class.getClassLoader()));
    }

    @Override
    public URI getDefaultURI() {
        return URI.create(JCacheProperties.defaultUri());
    }

    @Override
    public Properties getDefaultProperties() {
        return JCacheProperties.defaults();
    }

    @Override
    public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        return getCacheManager(uri, classLoader, null);
    }

    @Override
    public CacheManager getCacheManager() {
        return getCacheManager(null, null, null);
    }

    @Override
    public void close() {
        close(() -> managers.values().stream().flatMap(some -> some.values().stream()));
    }

    @Override
    public void close(@Nullable ClassLoader classLoader) {
        ClassLoader loader = requireNonNullElseGet(classLoader, this::getDefaultClassLoader);
        close(() -> managersOf(loader).values().stream());
    }

    @Override
    public void close(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        ClassLoader loader = requireNonNullElseGet(classLoader, this::getDefaultClassLoader);
        URI at = requireNonNullElseGet(uri, this::getDefaultURI);
        close(() -> Stream.ofNullable(managersOf(loader).get(at)));
    }

    /** Closes some managers, without the lock under which they are looked up. */
    private void close(Supplier<Stream<StoreJCacheManager>> which) {
        List<StoreJCacheManager> found;
        synchronized (managers) {
            found = which.get().toList();
        }
        found.forEach(StoreJCacheManager::close);
    }

    /** Returns false: the one optional feature is to store references, and a durable store keeps values. */
    @Override
    public boolean isSupported(OptionalFeature optionalFeature) {
        return false;
    }
}
