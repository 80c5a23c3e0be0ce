package dev.ttlstore.spring.cache;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.cache.CacheManager;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Manages Spring's caches in a store. Each cache is a group whose name is 'cache.' and the name of the cache. The
 * manager creates a cache at its first use. The starter registers one with {@code store.cache-manager.enabled=true}.
 * Thread-safe.
 *
 * <pre>{@code
 * record Book(String isbn, String title) {}
 *
 * @Cacheable("books")
 * public Book find(String isbn) {
 *     return new Book(isbn, "from the slow catalogue");
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreCache
 * @see StoreCacheManagerProperties
 */
public final class StoreCacheManager implements CacheManager {

    /** The prefix of the names of all groups that hold caches. */
    public static final String PREFIX = "cache.";

    private final LiveKeyspace store;
    private final Function<String, StoreCacheSettings> settings;
    private final Set<String> known;
    private final ConcurrentMap<String, StoreCache> caches = new ConcurrentHashMap<>();

    /**
     * Creates the manager.
     *
     * @param store the store or scope that holds the caches
     * @param settings returns the settings of a cache by its name
     * @param known the names of caches that are known before they are used, for metrics
     */
    public StoreCacheManager(
            LiveKeyspace store, Function<String, StoreCacheSettings> settings, Collection<String> known) {
        this.store = OutsideTransaction.of(store);
        this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
        this.known = new LinkedHashSet<>(known);
    }

    @Override
    public StoreCache getCache(String name) {
        StoreCache present = caches.get(Objects.requireNonNull(name, "'name' must not be null"));
        return present == null ? caches.computeIfAbsent(name, this::create) : present;
    }

    private StoreCache create(String name) {
        StoreCacheSettings chosen = settings.apply(name);
        return new StoreCache(name, store.group(PREFIX + name, new CacheCodec(name, chosen.codec())), chosen);
    }

    /** Returns the names of the caches that were declared or used, or that have entries, for example from before a restart. */
    @Override
    public Collection<String> getCacheNames() {
        Set<String> names = new LinkedHashSet<>(known);
        names.addAll(caches.keySet());
        names.addAll(stored());
        return names;
    }

    private Set<String> stored() {
        Set<String> names = new LinkedHashSet<>();
        try (Stream<String> groups = store.groups(PREFIX)) {
            groups.forEach(group -> names.add(group.substring(PREFIX.length())));
        }
        return names;
    }
}
