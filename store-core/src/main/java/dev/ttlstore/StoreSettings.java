package dev.ttlstore;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.expiry.ExpirySettings;

/**
 * The settings of a {@link StoreBuilder}, as a {@link StoreFactory} reads them. The builder's methods describe each
 * setting.
 *
 * @param engine opens the engine
 * @param clock the source of the store's time
 * @param durability which failures a write survives once it has returned
 * @param lockTimeout how long opening waits while another process owns the data
 * @param closeTimeout how long closing waits
 * @param purgeInterval the pause between two purges; zero for no regular purges
 * @param retention how long expired entries are kept
 * @param maxValueSize the size of the largest encoded value, in bytes
 * @param cacheSize the size of the near cache, in bytes; zero for no cache
 * @param sharedCacheSize the same for an engine whose data other processes write too
 * @param codecs finds codecs that are not built in
 * @param unreadableValues what reads do with a value that cannot be read
 * @param groups settings of single groups, by full name
 * @param encrypted selects encrypted groups, by full name
 * @param cipher seals the values of encrypted groups; null if none is encrypted
 * @param expiry how expired entries are delivered to handlers
 * @param expiryOnTime whether a thread expires entries on time
 * @param eventHistory how many of the last events are kept for watches that resume
 * @param futureExecutor completes the futures of asynchronous writes; null for threads of the store
 * @since 0.1
 * @see StoreBuilder
 * @see StoreFactory
 */
public record StoreSettings(
        EngineFactory engine,
        InstantSource clock,
        Durability durability,
        Duration lockTimeout,
        Duration closeTimeout,
        Duration purgeInterval,
        Duration retention,
        int maxValueSize,
        long cacheSize,
        long sharedCacheSize,
        CodecFactory codecs,
        UnreadableValues unreadableValues,
        Map<String, GroupSettings> groups,
        Predicate<String> encrypted,
        @Nullable ValueCipher cipher,
        ExpirySettings expiry,
        boolean expiryOnTime,
        int eventHistory,
        @Nullable Executor futureExecutor) {

    /**
     * Copies the groups.
     *
     * @param engine opens the engine
     * @param clock the store's time
     * @param durability what a write has survived when it returns
     * @param lockTimeout how long opening waits for another process that owns the data
     * @param closeTimeout how long closing waits
     * @param purgeInterval the pause between two purges; zero for no regular purges
     * @param retention how long expired entries are kept
     * @param maxValueSize the size of the largest encoded value, in bytes
     * @param cacheSize the size of the near cache, in bytes; zero for no cache
     * @param sharedCacheSize the same for an engine whose data other processes write too
     * @param codecs finds codecs that are not built in
     * @param unreadableValues what reads do with a value that cannot be read
     * @param groups settings of single groups, by full name
     * @param encrypted which groups are encrypted, by full name
     * @param cipher seals the values of encrypted groups; null if none is encrypted
     * @param expiry how expired entries are delivered to handlers
     * @param expiryOnTime whether a thread expires entries on time
     * @param eventHistory how many of the last events are kept for watches that resume
     * @param futureExecutor completes the futures of asynchronous writes; null for threads of the store
     */
    public StoreSettings {
        groups = Map.copyOf(groups);
    }
}
