package dev.ttlstore.spring.cache;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;

import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.spring.transaction.SeparateTransaction;

/**
 * A cache in a group of a store. It survives a restart, and instances that share the store share it. Its writes belong to no transaction
 * of the application. One caller of each instance loads a key at a time. What is loaded while another instance loads it, too, is
 * replaced by what was stored first. Thread-safe.
 */
public final class StoreCache extends AbstractValueAdaptingCache {

    private final String name;
    private final Group<Object> group;
    private final Expiry expiry;
    private final Executor executor;

    /** What is being loaded asynchronously, by key. */
    private final ConcurrentMap<String, CompletableFuture<Object>> loading = new ConcurrentHashMap<>();

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();

    StoreCache(String name, Group<Object> group, StoreCacheSettings settings, Executor executor) {
        super(settings.nullValues());
        this.name = name;
        this.group = group;
        this.expiry = settings.expiry();
        this.executor = executor;
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
        Object found = SeparateTransaction.call(() -> group.get(key)).orElse(null);
        return found == CacheCodec.UNREADABLE ? null : found;
    }

    /**
     * Returns a value that was found or put, if it can be read; otherwise deletes it and tries again. What is put in the meantime may be
     * deleted, too, and is loaded again.
     */
    private @Nullable Object readable(String key, Supplier<@Nullable Object> foundOrPut) {
        Object found = SeparateTransaction.call(foundOrPut);
        while (found == CacheCodec.UNREADABLE) {
            boolean unused = SeparateTransaction.call(() -> group.delete(key));
            found = SeparateTransaction.call(foundOrPut);
        }
        return found;
    }

    @Override
    @SuppressWarnings("unchecked") // the caller says what the key stands for
    public <T> @Nullable T get(Object key, Callable<T> loader) {
        String stored = CacheKeys.of(key);
        boolean[] loaded = new boolean[1];
        Supplier<Object> load = () -> {
            loaded[0] = true;
            return SeparateTransaction.<Object>callBack(() -> load(key, loader));
        };
        Object value = readable(stored, () -> group.getOrPut(stored, expiry, load));
        if (loaded[0]) {
            misses.increment();
            puts.increment();
        } else {
            hits.increment();
        }
        return (T) fromStoreValue(value);
    }

    private <T> Object load(Object key, Callable<T> loader) {
        try {
            return toStoreValue(loader.call());
        } catch (Exception e) {
            throw new ValueRetrievalException(key, loader, e);
        }
    }

    /** Looks the key up in another thread. The result is null if there is no entry, else a wrapper. */
    @Override
    public CompletableFuture<?> retrieve(Object key) {
        return CompletableFuture.supplyAsync(() -> get(key), executor);
    }

    /** Looks the key up in another thread, which also calls the loader, but does not wait for it. */
    @Override
    @SuppressWarnings("unchecked") // the caller says what the key stands for
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
        String stored = CacheKeys.of(key);
        CompletableFuture<Object> mine = new CompletableFuture<>();
        CompletableFuture<Object> others = loading.putIfAbsent(stored, mine);
        if (others == null) {
            try {
                CompletableFuture<Object> unused = CompletableFuture.supplyAsync(
                                () -> Optional.ofNullable(lookup(key)), executor)
                        .thenCompose(found -> found.map(CompletableFuture::completedFuture)
                                .orElseGet(() -> loadAsync(stored, loader)))
                        .whenComplete((value, failure) -> complete(stored, mine, value, failure));
            } catch (RuntimeException | Error e) { // no memory for a thread, or closed; others may wait for this one
                complete(stored, mine, null, e);
            }
        }
        // A copy, so that one caller who cancels it does not cancel that of the others.
        return (others == null ? mine : others).thenApply(value -> (T) fromStoreValue(value));
    }

    private void complete(
            String key, CompletableFuture<Object> mine, @Nullable Object value, @Nullable Throwable failure) {
        loading.remove(key, mine);
        if (failure != null || value == null) {
            mine.completeExceptionally(failure == null ? new IllegalStateException("Nothing was loaded") : failure);
        } else {
            mine.complete(value);
        }
    }

    private <T> CompletableFuture<Object> loadAsync(String key, Supplier<CompletableFuture<T>> loader) {
        return loader.get()
                .thenApplyAsync(
                        loaded -> {
                            Object value = toStoreValue(loaded);
                            Object present = putIfAbsent(key, value);
                            return present == null ? value : present;
                        },
                        executor);
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        Object stored = toStoreValue(value);
        String text = CacheKeys.of(key);
        long unused = SeparateTransaction.call(() -> group.put(text, stored, expiry));
        puts.increment();
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
        boolean removed = SeparateTransaction.call(() -> group.delete(stored));
        if (removed) {
            removals.increment();
        }
        return removed;
    }

    @Override
    public void clear() {
        boolean unused = invalidate();
    }

    /** Removes all entries at once. */
    @Override
    public boolean invalidate() {
        long removed = SeparateTransaction.call(group::clear);
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
