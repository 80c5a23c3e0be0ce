package dev.ttlstore.spring.cache;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.support.AbstractValueAdaptingCache;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;

/**
 * A cache in a group of a store. It survives a restart, and instances that share the store share it. Its writes belong to no transaction
 * of the application. One caller of each instance loads a key at a time. What is loaded while another instance loads it, too, is
 * replaced by what was stored first. What is loaded while its key is evicted, or the cache cleared, in the same instance is not stored.
 * Neither is a value that is too large for the store, which is logged. It has no threads: loaders run in those of their callers, and what
 * a future brings is stored in the thread that completes it. Thread-safe.
 */
public final class StoreCache extends AbstractValueAdaptingCache {

    private static final Logger log = LoggerFactory.getLogger(StoreCache.class);

    private static final String EXTENDED = "Reads of a cache extend its entries again";
    /** How often a caller that waits for a load looks whether the store is still open. */
    private static final long LOOK_MILLIS = 100;

    private final String name;
    private final Group<Object> group;
    private final Expiry expiry;

    /** How reads extend entries; null if they do not. */
    private final @Nullable Idling idling;

    private final RetryLog extensions;

    /** What is being loaded, by key. */
    private final ConcurrentMap<String, Load> loads = new ConcurrentHashMap<>();

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();

    StoreCache(String name, Group<Object> group, StoreCacheSettings settings) {
        super(settings.nullValues());
        this.name = name;
        this.group = group;
        this.expiry = settings.expiry();
        this.idling = Idling.of(settings);
        this.extensions = new RetryLog(log, "Reads of the cache '" + name + "' do not extend its entries");
    }

    /** A load by one caller, for whose result others wait. */
    private static final class Load {
        private final CompletableFuture<Object> result = new CompletableFuture<>();
        private final ReentrantLock storing = new ReentrantLock();

        /** The thread whose loader must not ask for the same key; null if the loader does not wait. */
        private final @Nullable Thread loader;

        /** Whether what it loads is out of date. Guarded by the lock. */
        private boolean isOvertaken;

        Load(@Nullable Thread loader) {
            this.loader = loader;
        }

        /** Returns after what it has loaded is stored, so that it can be deleted, or never will be. */
        void overtake() {
            storing.lock();
            try {
                isOvertaken = true;
            } finally {
                storing.unlock();
            }
        }

        /**
         * Waits for what is loaded; null if the load fails.
         *
         * @param requireOpen throws if the store is closed: a loader may never return
         */
        @Nullable
        Object await(Runnable requireOpen) {
            if (loader == Thread.currentThread()) {
                throw new IllegalStateException(
                        "The value of a key of a cache cannot be loaded by way of the same key");
            }
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                    } catch (TimeoutException e) {
                        requireOpen.run();
                    } catch (InterruptedException e) {
                        interrupted = true; // another caller runs the loader, so the interrupt does not end the wait
                    }
                }
            } catch (ExecutionException | CancellationException e) {
                return null;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Override
    public String getName() {
        return name;
    }

    /** Returns the group that holds the entries; its values are encoded for this cache. */
    @Override
    public Group<Object> getNativeCache() {
        return group;
    }

    @Override
    protected @Nullable Object lookup(Object key) {
        Object found = find(CacheKeys.of(key));
        (found == null ? misses : hits).increment();
        return found;
    }

    /** Finds a value that can be read. */
    private @Nullable Object find(String key) {
        Object found = idling == null ? group.get(key).orElse(null) : findAndExtend(key, idling);
        return found == CacheCodec.UNREADABLE ? null : found;
    }

    private @Nullable Object findAndExtend(String key, Idling idle) {
        Entry<Object> entry = group.entry(key).orElse(null);
        if (entry == null) {
            return null;
        }
        Expiry extension = entry.value() == CacheCodec.UNREADABLE ? null : idle.extension(entry);
        if (extension != null) {
            extend(key, extension);
        }
        return entry.value();
    }

    /** Extends an entry. If that fails, as on a full disk, what was read is good all the same. */
    private void extend(String key, Expiry extension) {
        try {
            boolean unused = group.expire(key, extension);
            extensions.succeeded(EXTENDED);
        } catch (StoreException e) {
            extensions.failed(e);
        }
    }

    /**
     * Returns a value that was found or put, if it can be read; otherwise deletes it and tries again. What is put in the meantime may be
     * deleted, too, and is loaded again.
     */
    private @Nullable Object readable(String key, Supplier<@Nullable Object> foundOrPut) {
        Object found = foundOrPut.get();
        while (found == CacheCodec.UNREADABLE) {
            boolean unused = group.delete(key);
            found = foundOrPut.get();
        }
        return found;
    }

    @Override
    @SuppressWarnings("unchecked") // the caller says what the key stands for
    public <T> @Nullable T get(Object key, Callable<T> loader) {
        String stored = CacheKeys.of(key);
        Object value = find(stored);
        boolean found = value != null;
        while (value == null) {
            Load mine = new Load(Thread.currentThread());
            Load others = loads.putIfAbsent(stored, mine);
            if (others == null) {
                value = load(key, stored, loader, mine);
            } else {
                value = others.await(this::requireOpen);
                found = value != null;
            }
        }
        if (found) {
            hits.increment();
        }
        return (T) fromStoreValue(value);
    }

    /** Reads no entry, so it asks no server. */
    private void requireOpen() {
        Map<String, Object> unused = group.getAll(List.of());
    }

    private Object load(Object key, String stored, Callable<?> loader, Load mine) {
        try {
            Object value = find(stored); // another load may just have ended
            if (value == null) {
                misses.increment();
                value = keep(stored, call(key, loader), mine);
            } else {
                hits.increment();
            }
            end(stored, mine, value, null);
            return value;
        } catch (RuntimeException | Error e) {
            end(stored, mine, null, e);
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
        load.storing.lock();
        try {
            Object present = load.isOvertaken ? null : putIfAbsent(key, value);
            return present == null ? value : present;
        } catch (ValueTooLargeException e) {
            notCached(e);
            return value;
        } finally {
            load.storing.unlock();
        }
    }

    private void notCached(ValueTooLargeException e) {
        log.warn("A value was not put into the cache '{}'. {}", name, e.getMessage());
    }

    private void end(String key, Load load, @Nullable Object value, @Nullable Throwable failure) {
        boolean unused = loads.remove(key, load);
        if (value == null) {
            load.result.completeExceptionally(
                    failure == null ? new IllegalStateException("Nothing was loaded") : failure);
        } else {
            load.result.complete(value);
        }
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
            // A copy, so that one caller who cancels it does not cancel that of the others.
            return (others == null ? mine : others).result.thenApply(value -> (T) fromStoreValue(value));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> void begin(String key, Supplier<CompletableFuture<T>> loader, Load mine) {
        try {
            Object value = find(key); // another load may just have ended
            if (value == null) {
                CompletableFuture<Void> unused = loader.get().handle((loaded, failure) -> {
                    loaded(key, mine, loaded, failure);
                    return null;
                });
            } else {
                end(key, mine, value, null);
            }
        } catch (RuntimeException | Error e) { // others may wait for this one
            end(key, mine, null, e);
        }
    }

    private void loaded(String key, Load mine, @Nullable Object loaded, @Nullable Throwable failure) {
        Object value = null;
        Throwable problem = failure;
        if (failure == null) {
            try {
                value = keep(key, toStoreValue(loaded), mine);
            } catch (RuntimeException | Error e) {
                problem = e;
            }
        }
        end(key, mine, value, problem);
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        Object stored = toStoreValue(value);
        String text = CacheKeys.of(key);
        try {
            long unused = group.put(text, stored, expiry);
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
        Object present =
                readable(key, () -> group.getAndPutIfAbsent(key, value, expiry).orElse(null));
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
        boolean removed = group.delete(stored);
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
        long removed = group.clear();
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
