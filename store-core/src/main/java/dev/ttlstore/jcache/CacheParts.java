package dev.ttlstore.jcache;

import java.util.concurrent.Executor;

import javax.cache.Cache;
import javax.cache.CacheManager;

import dev.ttlstore.Codec;
import dev.ttlstore.LiveKeyspace;

/**
 * What a cache consists of.
 *
 * @param rows its entries
 * @param operations the operations on one entry, and its entry processors
 * @param bulk the operations on many
 * @param loading its loader
 * @param writing its writer
 * @param expiries the expiries of its policy
 * @param listeners its listeners
 * @param statistics its counts
 * @param management its beans
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
record CacheParts<K, V>(
        Rows<K, V> rows,
        EntryOperations<K, V> operations,
        BulkOperations<K, V> bulk,
        Loading<K, V> loading,
        WriteThrough<K, V> writing,
        Expiries expiries,
        Listeners<K, V> listeners,
        CacheStatistics statistics,
        ManagementBeans management) {

    static <K, V> CacheParts<K, V> of(
            Cache<K, V> cache,
            StoreConfiguration<K, V> configuration,
            ArgumentChecks<K, V> arguments,
            LiveKeyspace store,
            Executor threads) {
        CacheManager manager = cache.getCacheManager();
        CacheCodecs codecs = new CacheCodecs(configuration, manager.getProperties(), manager.getClassLoader());
        KeyTexts<K> keys = codecs.ofKeys(configuration.getKeyCodecFactory());
        Codec<StoredValue<V>> codec = new StoredValue.OfCodec<>(
                codecs.ofValues(configuration.getValueType(), configuration.getValueCodecFactory()));
        String group = Rows.PREFIX + cache.getName();
        Rows<K, V> rows = new Rows<>(store, store.group(group, codec), group, keys, codec);

        Loading<K, V> loading = new Loading<>(configuration);
        WriteThrough<K, V> writing = new WriteThrough<>(configuration);
        Expiries expiries = new Expiries(configuration);
        CacheStatistics statistics = new CacheStatistics();
        KeyLocks locks = new KeyLocks();
        Listeners<K, V> listeners = new Listeners<>(cache, threads, store, group, codec, keys);
        AtomicChanges<K, V> changes = new AtomicChanges<>(rows, expiries, writing, listeners, locks);
        return new CacheParts<>(
                rows,
                new EntryOperations<>(rows, changes, loading, statistics, arguments::value),
                new BulkOperations<>(store, rows, changes, expiries, loading, writing, listeners, locks, statistics),
                loading,
                writing,
                expiries,
                listeners,
                statistics,
                new ManagementBeans(manager.getURI(), cache.getName()));
    }

    void close() {
        management.close();
        listeners.close();
        loading.close();
        writing.close();
        expiries.close();
    }
}
