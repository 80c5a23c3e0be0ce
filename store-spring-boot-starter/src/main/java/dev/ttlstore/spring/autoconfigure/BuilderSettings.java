package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.expiry.ExpirySettings;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Expiry;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Group;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Sqlite;

/**
 * Applies properties to a builder. The builder knows their bounds; if it refuses a value, the exception names the
 * property. Not thread-safe.
 */
public final class BuilderSettings {

    private final StoreBuilder builder;
    private final Environment environment;
    private ExpirySettings expirySettings = ExpirySettings.defaults();

    /**
     * Creates the settings for a builder.
     *
     * @param builder the builder to apply properties to
     * @param environment the environment, in which {@code spring.threads.virtual.enabled} selects the threads of
     *     expiry handlers
     */
    public BuilderSettings(StoreBuilder builder, Environment environment) {
        this.builder = builder;
        this.environment = environment;
    }

    /**
     * Applies all properties except those for the store's location and its purge job.
     *
     * @param properties the properties
     * @throws InvalidConfigurationPropertyValueException if the builder refuses a value
     */
    public void apply(StoreProperties properties) {
        set("store.durability", properties.durability(), builder::durability);
        set("store.lock-timeout", properties.lockTimeout(), builder::lockTimeout);
        set("store.close-timeout", properties.closeTimeout(), builder::closeTimeout);
        set("store.max-value-size", properties.maxValueSize(), size -> builder.maxValueSize(size.toBytes()));
        set("store.retention", properties.retention(), builder::retention);
        set("store.near-cache.max-size", properties.nearCache().maxSize(), size -> builder.cacheSize(size.toBytes()));
        builder.unreadableValues(properties.unreadableValues());
        properties.groups().forEach(this::apply);
        apply(properties.sqlite());
        apply(properties.expiry());
    }

    private void apply(String name, Group group) {
        String property = "store.groups." + name;
        GroupSettings counted = GroupSettings.defaults().withStatistics(group.metrics());
        set(property, name, valid -> builder.group(valid, counted));
        set(property + ".ttl", group.ttl(), ttl -> builder.group(name, counted.withTtl(ttl)));
    }

    private void apply(Sqlite sqlite) {
        set("store.sqlite.readers", sqlite.readers(), builder::readers);
        set("store.sqlite.page-cache-size", sqlite.pageCacheSize(), size -> builder.pageCacheSize(size.toBytes()));
        set("store.sqlite.mmap-size", sqlite.mmapSize(), size -> builder.mmapSize(size.toBytes()));
        set("store.sqlite.wal-limit", sqlite.walLimit(), size -> builder.walLimit(size.toBytes()));
    }

    private void apply(Expiry expiry) {
        setExpiry("concurrency", expiry.concurrency(), ExpirySettings::withConcurrency);
        setExpiry("max-attempts", expiry.maxAttempts(), ExpirySettings::withMaxAttempts);
        // Each delay by itself, so that the exception names the property that is refused.
        Duration first = expiry.firstDelay();
        Duration longest = expiry.maxDelay();
        setExpiry("first-delay", first, (settings, delay) -> settings.withDelays(delay, delay));
        if (first.compareTo(longest) > 0) {
            throw new InvalidConfigurationPropertyValueException(
                    "store.expiry.first-delay",
                    first,
                    "it must be at most 'store.expiry.max-delay', which is " + longest);
        }
        setExpiry("max-delay", longest, (settings, delay) -> settings.withDelays(first, delay));
        setExpiry("timeout", expiry.timeout(), ExpirySettings::withTimeout);
        setExpiry("max-backlog", expiry.maxBacklog(), ExpirySettings::withMaxBacklog);
        builder.expiry(expirySettings.withVirtualThreads(Threading.VIRTUAL.isActive(environment)));
        builder.expiryOnTime(expiry.onTime());
    }

    private <T> void setExpiry(String name, T value, BiFunction<ExpirySettings, T, ExpirySettings> setter) {
        set("store.expiry." + name, value, given -> expirySettings = setter.apply(expirySettings, given));
    }

    /** Applies a value, or leaves the builder's default if it is null. */
    static <T> void set(String property, @Nullable T value, Consumer<T> setter) {
        if (value == null) {
            return;
        }
        try {
            setter.accept(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage(), e);
        }
    }
}
