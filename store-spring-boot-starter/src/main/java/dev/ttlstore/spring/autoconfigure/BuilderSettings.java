package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Engine;
import dev.ttlstore.spring.autoconfigure.StoreProperties.Group;
import dev.ttlstore.sqlite.Sqlite;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Applies properties to a builder. The builder knows their bounds; if it refuses a value, the exception names the
 * property. Not thread-safe.
 *
 * @since 0.1
 * @see StoreProperties
 * @see StoreBuilderCustomizer
 */
public final class BuilderSettings {

    private final StoreBuilder builder;
    private GroupSettings groupSettings = GroupSettings.defaults();
    private Sqlite engine = Sqlite.inMemory();
    private @Nullable Path backups;

    /**
     * Creates the settings for a builder.
     *
     * @param builder the builder to apply properties to
     */
    public BuilderSettings(StoreBuilder builder) {
        this.builder = builder;
    }

    /**
     * Applies the properties of the store, except those of its engine.
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
        set("store.near-cache.max-size", nearCache(properties), size -> builder.cacheSize(size.toBytes()));
        builder.unreadableValues(properties.unreadableValues());
        properties.groups().forEach(this::apply);
    }

    /** Returns null for the builder's default. On a shared engine there is no cache by default, and no need of Caffeine. */
    private static @Nullable DataSize nearCache(StoreProperties properties) {
        DataSize size = properties.nearCache().maxSize();
        return size == null && properties.engine() == Engine.POSTGRESQL ? DataSize.ofBytes(0) : size;
    }

    private void apply(String name, Group group) {
        String property = "store.groups." + name;
        groupSettings = GroupSettings.defaults()
                .withStatistics(group.metrics())
                .withEventValues(group.eventValues())
                .withAgeIndex(group.ageIndex());
        set(property + ".ttl", group.ttl(), ttl -> groupSettings = groupSettings.withTtl(ttl));
        set(property + ".max-age", group.maxAge(), age -> groupSettings = groupSettings.withMaxAge(age));
        set(property + ".retention", group.retention(), time -> groupSettings = groupSettings.withRetention(time));
        set(property, name, valid -> builder.group(valid, groupSettings));
    }

    /** Lets the embedded engine, which is set next, restore a file that is missing. */
    void restoreFrom(@Nullable Path folder) {
        backups = folder;
    }

    /**
     * Sets the embedded engine with its properties.
     *
     * @param properties the properties
     * @param file the store's file; null to keep it in memory
     * @throws InvalidConfigurationPropertyValueException if the engine refuses a value
     */
    public void applyEngine(StoreProperties.Sqlite properties, @Nullable Path file) {
        builder.engine(embedded(properties, file));
    }

    /** Returns the embedded engine with its properties. */
    Sqlite embedded(StoreProperties.Sqlite properties, @Nullable Path file) {
        engine = file == null ? Sqlite.inMemory() : Sqlite.file(file);
        if (backups != null) {
            engine = engine.restoreFrom(backups);
        }
        setEngine("readers", properties.readers(), Sqlite::readers);
        setEngine(
                "page-cache-size", properties.pageCacheSize(), (sqlite, size) -> sqlite.pageCacheSize(size.toBytes()));
        setEngine("mmap-size", properties.mmapSize(), (sqlite, size) -> sqlite.mmapSize(size.toBytes()));
        setEngine("wal-limit", properties.walLimit(), (sqlite, size) -> sqlite.walLimit(size.toBytes()));
        setEngine("copy-before-migration", properties.copyBeforeMigration(), Sqlite::copyBeforeMigration);
        setEngine("reclaim-after", properties.reclaimAfter(), Sqlite::reclaimAfter);
        setEngine("external-checkpoints", properties.externalCheckpoints(), Sqlite::externalCheckpoints);
        return engine;
    }

    private <T> void setEngine(String name, @Nullable T value, BiFunction<Sqlite, T, Sqlite> setter) {
        set("store.sqlite." + name, value, given -> engine = setter.apply(engine, given));
    }
}
