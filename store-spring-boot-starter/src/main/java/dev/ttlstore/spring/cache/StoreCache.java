package dev.ttlstore.spring.cache;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.support.AbstractValueAdaptingCache;

import dev.ttlstore.Group;
import dev.ttlstore.exception.ValueTooLargeException;

/**
 * A Spring cache in a group of a store. It survives a restart, and instances that share the store share it. Its writes
 * belong to no transaction of the application. Thread-safe.
 *
 * <pre>{@code
 * void forget(CacheManager caches, String isbn) {
 *     if (caches.getCache("books") instanceof StoreCache books) {
 *         books.evictIfPresent(isbn);
 *     }
 * }
 * }</pre>
 *
 * <p>In each instance one caller at a time loads a key. If two instances load a key at the same time, both return the
 * value that was stored first. The cache does not store a loaded value if the same instance evicts its key or clears
 * the cache meanwhile. It logs a value that is too large for the store and does not store it.
 *
 * <p>The cache has no threads. Loaders run in the threads of their callers. The thread that completes a future stores
 * its value.
 *
 * @since 0.1
 * @see StoreCacheManager
 * @see StoreCacheSettings
 */
public final class StoreCache extends AbstractValueAdaptingCache {

    private static final Logger log = LoggerFactory.getLogger(StoreCache.class);

    private final String name;
    private final CacheEntries entries;

    /** What is being loaded, by key. */
    private final ConcurrentMap<String, Load> loads = new ConcurrentHashMap<>();

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();

    StoreCache(String name, Group<Object> group, StoreCacheSettings settings) {
        super(settings.nullValues());
        this.name = name;
        this.entries = new CacheEntries(name, group, settings);
    }

    @Override
    public String getName() {
        return name;
    }

    /** Returns the group that holds the entries; its values are encoded for this cache. */
    @Override
    public Group<Object> getNativeCache() {
        return entries.group();
    }

    @Override
    protected @Nullable Object lookup(Object key) {
        Object found = entries.find(CacheKeys.of(key));
        (found == null ? misses : hits).increment();
        return found;
    }

    @Override
    @SuppressWarnings("unchecked") // the caller says what the key stands for
    public <T> @Nullable T get(Object key, Callable<T> loader) {
        String stored = CacheKeys.of(key);
        Object value = entries.find(stored);
        boolean found = value != null;
        while (value == null) {
            Load mine = new Load(Thread.currentThread());
            Load others = loads.putIfAbsent(stored, mine);
            if (others == null) {
                value = load(key, stored, loader, mine);
            } else {
                value = others.await(entries::requireOpen);
                found = value != null;
            }
        }
        if (found) {
            hits.increment();
        }
        return (T) fromStoreValue(value);
    }

    private Object load(Object key, String stored, Callable<?> loader, Load mine) {
        try {
            Object value = entries.find(stored); // another load may just have ended
            if (value == null) {
                misses.increment();
                value = keep(stored, call(key, loader), mine);
            } else {
                hits.increment();
            }
            end(stored, mine, value);
            return value;
        } catch (RuntimeException | Error e) {
            fail(stored, mine, e);
            throw e;
        }
    }

    private Object call(Object key, Callable<?> loader) {
        try {
            return toStoreValue(loader.call());
        } catch (Exception e) {
            throw new ValueRetrievalException(key, loader, e);
        }
    }

    /** Stores what was loaded, unless it is out of date or too large. Returns it, or what was stored before. */
    private Object keep(String key, Object value, Load load) {
        try {
            Object present = load.store(() -> putIfAbsent(key, value));
            return present == null ? value : present;
        } catch (ValueTooLargeException e) {
            notCached(e);
            return value;
        }
    }

    private void notCached(ValueTooLargeException e) {
        log.warn("A value was not put into the cache '{}'. {}", name, e.getMessage());
    }

    private void end(String key, Load load, Object value) {
        boolean unused = loads.remove(key, load);
        load.succeed(value);
    }

    private void fail(String key, Load load, Throwable failure) {
        boolean unused = loads.remove(key, load);
        load.fail(failure);
    }

    /** Returns a future that is complete: of null if there is no entry, else of a wrapper. */
    @Override
    public CompletableFuture<?> retrieve(Object key) {
        try {
            return CompletableFuture.completedFuture(get(key));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Looks the key up and calls the loader in this thread, and does not wait for what the loader's future brings. */
    @Override
    @SuppressWarnings("unchecked") // the caller says what the key stands for
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
        try {
            String stored = CacheKeys.of(key);
            Object found = lookup(key);
            if (found != null) {
                return CompletableFuture.completedFuture((T) fromStoreValue(found));
            }
            Load mine = new Load(null);
            Load others = loads.putIfAbsent(stored, mine);
            if (others == null) {
                begin(stored, loader, mine);
            }
            // A copy, so that a caller who cancels his future does not cancel those of others.
            return (others == null ? mine : others).result().thenApply(value -> (T) fromStoreValue(value));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> void begin(String key, Supplier<CompletableFuture<T>> loader, Load mine) {
        try {
            Object value = entries.find(key); // another load may just have ended
            if (value == null) {
                CompletableFuture<Void> unused = loader.get().handle((loaded, failure) -> {
                    loaded(key, mine, loaded, failure);
                    return null;
                });
            } else {
                end(key, mine, value);
            }
        } catch (RuntimeException | Error e) { // others may wait for this one
            fail(key, mine, e);
        }
    }

    private void loaded(String key, Load mine, @Nullable Object loaded, @Nullable Throwable failure) {
        if (failure != null) {
            fail(key, mine, failure);
            return;
        }
        try {
            end(key, mine, keep(key, toStoreValue(loaded), mine));
        } catch (RuntimeException | Error e) {
            fail(key, mine, e);
        }
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        Object stored = toStoreValue(value);
        String text = CacheKeys.of(key);
        try {
            entries.put(text, stored);
            puts.increment();
        } catch (ValueTooLargeException e) {
            notCached(e);
            evict(key); // or the value before would be served
        }
    }

    @Override
    public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
        return toValueWrapper(putIfAbsent(CacheKeys.of(key), toStoreValue(value)));
    }

    /** Returns what was there, or null if the value was put. */
    private @Nullable Object putIfAbsent(String key, Object value) {
        Object present = entries.putIfAbsent(key, value);
        if (present == null) {
            puts.increment();
        }
        return present;
    }

    @Override
    public void evict(Object key) {
        boolean unused = evictIfPresent(key);
    }

    /** Removes the entry at once. */
    @Override
    public boolean evictIfPresent(Object key) {
        String stored = CacheKeys.of(key);
        overtake(stored);
        boolean removed = entries.delete(stored);
        if (removed) {
            removals.increment();
        }
        return removed;
    }

    @Override
    public void clear() {
        boolean unused = invalidate();
    }

    private void overtake(String key) {
        Load running = loads.remove(key);
        if (running != null) {
            running.overtake();
        }
    }

    /** Removes all entries at once. */
    @Override
    public boolean invalidate() {
        loads.keySet().forEach(this::overtake);
        long removed = entries.clear();
        removals.add(removed);
        return removed > 0;
    }

    long hits() {
        return hits.sum();
    }

    long misses() {
        return misses.sum();
    }

    long puts() {
        return puts.sum();
    }

    long removals() {
        return removals.sum();
    }
}
