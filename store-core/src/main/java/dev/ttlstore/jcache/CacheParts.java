package dev.ttlstore.jcache;

import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.Factory;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.LiveKeyspace;

/**
 * What a cache consists of.
 *
 * @param rows its entries
 * @param operations the operations on one entry
 * @param bulk the operations on many
 * @param invocations its entry processors
 * @param loading its loader
 * @param listeners its listeners
 * @param statistics its counts
 * @param management its beans
 * @param given what the application has given to it, to close it
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
record CacheParts<K, V>(
        Rows<K, V> rows,
        EntryOperations<K, V> operations,
        BulkOperations<K, V> bulk,
        EntryProcessors<K, V> invocations,
        Loading<K, V> loading,
        Listeners<K, V> listeners,
        CacheStatistics statistics,
        ManagementBeans management,
        Given<K, V> given) {

    static <K, V> CacheParts<K, V> of(
            Cache<K, V> cache,
            StoreConfiguration<K, V> configuration,
            ArgumentChecks arguments,
            LiveKeyspace store,
            CacheThreads threads) {
        CacheManager manager = cache.getCacheManager();
        CacheCodecs codecs = new CacheCodecs(configuration, manager.getProperties(), manager.getClassLoader());
        KeyTexts<K> keys = codecs.ofKeys(configuration.getKeyCodecFactory());
        Codec<StoredValue<V>> codec = new StoredValue.OfCodec<>(
                codecs.ofValues(configuration.getValueType(), configuration.getValueCodecFactory()));
        String group = Rows.PREFIX + cache.getName();
        Rows<K, V> rows = new Rows<>(store, store.group(group, codec), group, keys, codec);

        Given<K, V> given = Given.by(configuration);
        Loading<K, V> loading = new Loading<>(given.loader(), configuration.isReadThrough());
        WriteThrough<K, V> writing = new WriteThrough<>(given.writer());
        CacheStatistics statistics = new CacheStatistics();
        KeyLocks locks = new KeyLocks();
        Listeners<K, V> listeners = new Listeners<>(cache, threads, new ExpiryFeed<>(store, group, codec, keys));
        AtomicChanges<K, V> changes = new AtomicChanges<>(rows, given.expiries(), writing, listeners, locks);
        return new CacheParts<>(
                rows,
                new EntryOperations<>(rows, changes, loading, statistics),
                new BulkOperations<>(
                        store, rows, changes, given.expiries(), loading, writing, listeners, locks, statistics),
                new EntryProcessors<>(changes, loading, statistics, arguments::value),
                loading,
                listeners,
                statistics,
                new ManagementBeans(manager.getURI(), cache.getName()),
                given);
    }

    void close() {
        management.close();
        listeners.close();
        Failures.closeQuietly(given.loader());
        Failures.closeQuietly(given.writer());
        Failures.closeQuietly(given.expiries().policy());
    }

    /**
     * What the configuration makes.
     *
     * @param loader the loader; null if there is none
     * @param writer the writer; null if the cache does not write through
     * @param expiries the expiries of the policy
     */
    record Given<K, V>(
            @Nullable CacheLoader<K, V> loader, @Nullable CacheWriter<K, V> writer, Expiries expiries) {

        @SuppressWarnings("unchecked") // a writer of wider types takes ours
        static <K, V> Given<K, V> by(StoreConfiguration<K, V> configuration) {
            Factory<CacheLoader<K, V>> loaders = configuration.getCacheLoaderFactory();
            Factory<CacheWriter<? super K, ? super V>> writers = configuration.getCacheWriterFactory();
            return new Given<>(
                    loaders == null ? null : loaders.create(),
                    writers == null || !configuration.isWriteThrough() ? null : (CacheWriter<K, V>) writers.create(),
                    new Expiries(configuration.getExpiryPolicyFactory().create()));
        }
    }
}
