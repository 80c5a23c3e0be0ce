package dev.ttlstore.spring.cache;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.cache.CacheManager;

import dev.ttlstore.Keyspace;

/**
 * Spring's caches in a store. Each cache is a group whose name is 'cache.' and that of the cache. A cache is created when it is first
 * asked for. Thread-safe.
 */
public final class StoreCacheManager implements CacheManager, DisposableBean {

    /** What the names of all groups of caches start with. */
    public static final String PREFIX = "cache.";

    /** How many asynchronous reads wait for a thread. Beyond that, their callers read. */
    static final int MAX_WAITING = 1_000;

    private final Keyspace store;
    private final Function<String, StoreCacheSettings> settings;
    private final Set<String> known;
    private final ConcurrentMap<String, StoreCache> caches = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor executor;

    /**
     * Creates the manager.
     *
     * @param store the store or scope that holds the caches
     * @param settings returns the settings of a cache by its name
     * @param known the names of caches that are known before they are used, for metrics
     */
    public StoreCacheManager(Keyspace store, Function<String, StoreCacheSettings> settings, Collection<String> known) {
        this.store = Objects.requireNonNull(store, "'store' must not be null");
        this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
        this.known = new LinkedHashSet<>(known);
        this.executor = executor();
    }

    /** Asynchronous reads wait for a disk or a database, so a few threads do; without such reads there are none. */
    private static ThreadPoolExecutor executor() {
        AtomicInteger number = new AtomicInteger();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ThreadFactory threads = work -> {
            // Without the thread-locals of the caller that happens to need it first, such as its security context.
            Thread thread = new Thread(null, work, "ttl-store-cache-" + number.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(loader);
            return thread;
        };
        int size = Math.max(4, Runtime.getRuntime().availableProcessors());
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                size, size, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), threads, (work, full) -> {
                    if (full.isShutdown()) {
                        throw new RejectedExecutionException("The cache manager has been closed");
                    }
                    work.run();
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    @Override
    public StoreCache getCache(String name) {
        StoreCache present = caches.get(Objects.requireNonNull(name, "'name' must not be null"));
        return present == null ? caches.computeIfAbsent(name, this::create) : present;
    }

    private StoreCache create(String name) {
        StoreCacheSettings chosen = settings.apply(name);
        return new StoreCache(name, store.group(PREFIX + name, new CacheCodec(name, chosen.codec())), chosen, executor);
    }

    @Override
    public Collection<String> getCacheNames() {
        Set<String> names = new LinkedHashSet<>(known);
        names.addAll(caches.keySet());
        return names;
    }

    /** Ends the threads when the asynchronous reads that wait have ended, which fail once the store is closed. */
    @Override
    public void destroy() {
        executor.shutdown();
    }
}
