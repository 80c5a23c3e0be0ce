package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

import dev.ttlstore.StoreBuilder;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Cache;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Sqlite;

/**
 * Hands properties to a builder, which knows their bounds, and says of one that it refuses which property it was. Not
 * thread-safe.
 */
public final class BuilderSettings {

    private final StoreBuilder builder;
    private ExpirySettings expirySettings = ExpirySettings.defaults();

    /**
     * Begins to set up a store.
     *
     * @param builder what to hand the properties to
     */
    public BuilderSettings(StoreBuilder builder) {
        this.builder = builder;
    }

    /**
     * Hands over all but those which say where the store is and how it is purged.
     *
     * @param properties the properties
     * @throws InvalidConfigurationPropertyValueException if one is refused
     */
    public void apply(StoreProperties properties) {
        set("store.durability", properties.getDurability(), builder::durability);
        set("store.lock-timeout", properties.getLockTimeout(), builder::lockTimeout);
        set("store.max-value-size", properties.getMaxValueSize(), size -> builder.maxValueSize(intBytes(size)));
        set("store.retention", properties.getRetention(), builder::retention);
        apply(properties.getCache());
        apply(properties.getSqlite());
        apply(properties.getExpiry());
    }

    private void apply(Cache cache) {
        // The default is left to the builder, which takes less on a small heap.
        if (!Cache.DEFAULT_MAX_SIZE.equals(cache.getMaxSize())) {
            set("store.cache.max-size", cache.getMaxSize(), size -> builder.cacheSize(size.toBytes()));
        }
    }

    private void apply(Sqlite sqlite) {
        Integer readers = sqlite.getReaders();
        if (readers != null) {
            set("store.sqlite.readers", readers, builder::readers);
        }
        set("store.sqlite.page-cache-size", sqlite.getPageCacheSize(), size -> builder.pageCacheSize(size.toBytes()));
        set("store.sqlite.mmap-size", sqlite.getMmapSize(), size -> builder.mmapSize(size.toBytes()));
        set("store.sqlite.wal-limit", sqlite.getWalLimit(), size -> builder.walLimit(size.toBytes()));
    }

    private void apply(ExpiryProperties expiry) {
        setExpiry("concurrency", expiry.getConcurrency(), ExpirySettings::withConcurrency);
        setExpiry("max-attempts", expiry.getMaxAttempts(), ExpirySettings::withMaxAttempts);
        // One delay after the other, so that it is known which one is refused.
        Duration first = expiry.getFirstDelay();
        setExpiry("first-delay", first, (settings, delay) -> settings.withDelays(delay, delay));
        setExpiry("max-delay", expiry.getMaxDelay(), (settings, delay) -> settings.withDelays(first, delay));
        setExpiry("timeout", expiry.getTimeout(), ExpirySettings::withTimeout);
        setExpiry("max-backlog", expiry.getMaxBacklog(), ExpirySettings::withMaxBacklog);
        builder.expiry(expirySettings);
        builder.expiryOnTime(expiry.isOnTime());
    }

    private <T> void setExpiry(String name, T value, BiFunction<ExpirySettings, T, ExpirySettings> setter) {
        set("store.expiry." + name, value, given -> expirySettings = setter.apply(expirySettings, given));
    }

    /** Sizes that are no int are refused as the nearest one is. */
    private static int intBytes(DataSize size) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, size.toBytes()));
    }

    private static <T> void set(String property, T value, Consumer<T> setter) {
        try {
            setter.accept(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage(), e);
        }
    }
}
