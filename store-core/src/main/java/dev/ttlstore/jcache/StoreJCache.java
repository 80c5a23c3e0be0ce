package dev.ttlstore.jcache;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Codec;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.engine.support.SafeLog;

/**
 * A cache whose entries are a group of a store: checks its arguments, and leaves the work to its parts.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class StoreJCache<K, V> implements Cache<K, V> {

    private static final Logger log = LoggerFactory.getLogger(StoreJCache.class);

    /** How many calls of loadAll run at a time: each has a thread, and holds its keys. Others wait. */
    static final int MOST_LOADS = 16;

    private final Semaphore loads = new Semaphore(MOST_LOADS);
    private final CacheManager manager;
    private final Executor threads;
    private final String name;
    private final StoreConfiguration<K, V> configuration;
    private final ArgumentChecks<K, V> arguments;
    private final CacheRows<K, V> rows;
    private final Loading<K, V> loading;
    private final WriteThrough<K, V> writing;
    private final Expiries expiries;
    private final Listeners<K, V> listeners;
    private final EntryOperations<K, V> operations;
    private final BulkOperations<K, V> bulk;
    private final CacheStatistics statistics = new CacheStatistics();
    private final ManagementBeans management;
    private final Consumer<StoreJCache<?, ?>> whenClosed;
    private volatile boolean closed;

    /**
     * Creates a cache.
     *
     * @param manager its manager
     * @param threads the threads of the manager
     * @param name its name
     * @param configuration its configuration, which it changes
     * @param store has its entries
     * @param whenClosed called with this cache when it closes
     */
    StoreJCache(
            CacheManager manager,
            Executor threads,
            String name,
            StoreConfiguration<K, V> configuration,
            LiveKeyspace store,
            Consumer<StoreJCache<?, ?>> whenClosed) {
        this.manager = manager;
        this.threads = threads;
        this.name = name;
        this.configuration = configuration;
        this.arguments = new ArgumentChecks<>(configuration.getKeyType(), configuration.getValueType());
        this.whenClosed = whenClosed;

        CacheCodecs codecs = new CacheCodecs(configuration, manager.getProperties(), manager.getClassLoader());
        KeyTexts<K> keys = codecs.ofKeys(configuration.getKeyCodecFactory());
        Codec<StoredValue<V>> codec = new StoredValue.OfCodec<>(
                codecs.ofValues(configuration.getValueType(), configuration.getValueCodecFactory()));
        String group = CacheRows.PREFIX + name;
        this.rows = new CacheRows<>(store, store.group(group, codec), group, keys, codec);

        this.management = new ManagementBeans(manager.getURI(), name);
        this.loading = new Loading<>(configuration);
        this.writing = Failures.orCleanUp(() -> new WriteThrough<>(configuration), loading::close);
        this.expiries = Failures.orCleanUp(() -> new Expiries(configuration), () -> {
            writing.close();
            loading.close();
        });
        this.listeners = new Listeners<>(this, threads, rows);
        AtomicChanges<K, V> changes = new AtomicChanges<>(rows, expiries, writing, listeners, new KeyLocks());
        this.operations = new EntryOperations<>(rows, changes, loading, statistics, arguments::value);
        this.bulk = new BulkOperations<>(rows, changes, loading, statistics);
        try {
            configuration.getCacheEntryListenerConfigurations().forEach(listeners::add);
        } catch (RuntimeException | Error e) {
            closeParts();
            throw e;
        }
    }

    @Override
    public @Nullable V get(K key) {
        return open().operations.get(arguments.key(key));
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        return open().bulk.getAll(arguments.keys(keys));
    }

    @Override
    public boolean containsKey(K key) {
        return open().rows.contains(rows.text(arguments.key(key)));
    }

    @Override
    public void loadAll(
            Set<? extends K> keys, boolean replaceExistingValues, @Nullable CompletionListener completionListener) {
        requireOpen();
        Set<K> wanted = Set.copyOf(arguments.keys(keys));
        if (!Deadline.in(KeyLocks.PATIENCE).tryUntil(nanos -> loads.tryAcquire(nanos, TimeUnit.NANOSECONDS))) {
            throw new CacheException(MOST_LOADS + " calls of loadAll have not ended for "
                    + KeyLocks.PATIENCE.toSeconds() + " s, so this one was not begun. Find why the loader is slow");
        }
        boolean unused = Failures.orCleanUp(
                () -> {
                    threads.execute(() -> load(wanted, replaceExistingValues, completionListener));
                    return true;
                },
                loads::release);
    }

    /** Gives the permit back before a listener is called, which may load more. */
    private void loadNow(Set<K> keys, boolean replace) {
        try {
            if (loading.exists()) {
                Set<K> wanted = replace ? keys : bulk.missing(keys);
                Map<K, V> unused = bulk.load(wanted, replace);
            }
        } finally {
            loads.release();
        }
    }

    private void load(Set<K> keys, boolean replace, @Nullable CompletionListener listener) {
        try {
            loadNow(keys, replace);
        } catch (RuntimeException | Error e) {
            if (listener != null) {
                listener.onException(
                        e instanceof RuntimeException failure
                                ? failure
                                : new CacheException("Entries could not be loaded because of an error", e));
            } else {
                SafeLog.ofApplication(log, "Entries of the cache '" + name + "' could not be loaded")
                        .warn(e);
            }
            return;
        }
        if (listener != null) {
            listener.onCompletion();
        }
    }

    @Override
    public void put(K key, V value) {
        open().operations.put(arguments.key(key), arguments.value(value));
    }

    @Override
    public @Nullable V getAndPut(K key, V value) {
        return open().operations.getAndPut(arguments.key(key), arguments.value(value));
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map) {
        open().bulk.putAll(arguments.map(map));
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        return open().operations.putIfAbsent(arguments.key(key), arguments.value(value));
    }

    @Override
    public boolean remove(K key) {
        return open().operations.remove(arguments.key(key));
    }

    @Override
    public boolean remove(K key, V oldValue) {
        return open().operations.remove(arguments.key(key), arguments.value(oldValue));
    }

    @Override
    public @Nullable V getAndRemove(K key) {
        return open().operations.getAndRemove(arguments.key(key));
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        return open().operations.replace(arguments.key(key), arguments.value(oldValue), arguments.value(newValue));
    }

    @Override
    public boolean replace(K key, V value) {
        return getAndReplace(key, value) != null;
    }

    @Override
    public @Nullable V getAndReplace(K key, V value) {
        return open().operations.getAndReplace(arguments.key(key), arguments.value(value));
    }

    @Override
    public void removeAll(Set<? extends K> keys) {
        open().bulk.removeAll(arguments.keys(keys));
    }

    @Override
    public void removeAll() {
        open().bulk.removeAll();
    }

    @Override
    public void clear() {
        long unused = open().rows.clear();
    }

    @Override
    public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
        return ArgumentChecks.unwrap(configuration(), type);
    }

    /** Returns a copy of the present configuration. */
    StoreConfiguration<K, V> configuration() {
        synchronized (configuration) {
            return new StoreConfiguration<>(configuration);
        }
    }

    @Override
    public <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> entryProcessor, Object... args) {
        return open().operations
                .invoke(
                        arguments.key(key),
                        Objects.requireNonNull(entryProcessor, "'entryProcessor' must not be null"),
                        args);
    }

    @Override
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(
            Set<? extends K> keys, EntryProcessor<K, V, T> entryProcessor, Object... args) {
        return open().operations
                .invokeAll(
                        arguments.keys(keys),
                        Objects.requireNonNull(entryProcessor, "'entryProcessor' must not be null"),
                        args);
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public CacheManager getCacheManager() {
        return manager;
    }

    @Override
    public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> cacheEntryListenerConfiguration) {
        requireOpen();
        Objects.requireNonNull(cacheEntryListenerConfiguration, "'cacheEntryListenerConfiguration' must not be null");
        synchronized (configuration) {
            listeners.add(cacheEntryListenerConfiguration);
            configuration.addCacheEntryListenerConfiguration(cacheEntryListenerConfiguration);
        }
    }

    @Override
    public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> cacheEntryListenerConfiguration) {
        requireOpen();
        Objects.requireNonNull(cacheEntryListenerConfiguration, "'cacheEntryListenerConfiguration' must not be null");
        synchronized (configuration) {
            configuration.removeCacheEntryListenerConfiguration(cacheEntryListenerConfiguration);
            listeners.remove(cacheEntryListenerConfiguration);
        }
    }

    @Override
    public Iterator<Cache.Entry<K, V>> iterator() {
        return open().operations.iterator(this::requireOpen);
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return ArgumentChecks.unwrap(this, type, rows.group());
    }

    void enableManagement(boolean enabled) {
        synchronized (configuration) {
            configuration.setManagementEnabled(enabled);
            management.showConfiguration(enabled, this::configuration);
        }
    }

    void enableStatistics(boolean enabled) {
        synchronized (configuration) {
            configuration.setStatisticsEnabled(enabled);
            statistics.enable(enabled);
            management.showStatistics(enabled, statistics);
        }
    }

    /** Returns this cache if it is open. */
    private StoreJCache<K, V> open() {
        requireOpen();
        return this;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The cache '" + name + "' is closed; get it from an open manager again");
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** Closes the cache. Its entries stay in the store. */
    @Override
    public void close() {
        synchronized (configuration) {
            if (closed) {
                return;
            }
            closed = true;
        }
        whenClosed.accept(this);
        management.close();
        closeParts();
    }

    private void closeParts() {
        listeners.close();
        loading.close();
        writing.close();
        expiries.close();
    }
}
