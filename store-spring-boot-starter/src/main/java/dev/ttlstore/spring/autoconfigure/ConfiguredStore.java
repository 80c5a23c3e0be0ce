package dev.ttlstore.spring.autoconfigure;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;

/** The location of the store that the properties describe, and how to open it. */
final class ConfiguredStore {

    /** Prefixes that name a location elsewhere. As paths they would create files and folders with odd names. */
    private static final Map<String, String> NO_PATHS = Map.of(
            "~/", "write '${user.home}/' instead of '~/'",
            "file:", "remove 'file:'",
            "jdbc:", "write only the path of the file",
            ":memory:", "set 'store.in-memory' to true");

    private final StoreProperties properties;
    private final ObjectProvider<InstantSource> clock;
    private final Environment environment;

    ConfiguredStore(StoreProperties properties, ObjectProvider<InstantSource> clock, Environment environment) {
        this.properties = properties;
        this.clock = clock;
        this.environment = environment;
    }

    /** Returns the store's file, or null if the store is in memory. */
    @Nullable
    Path file() {
        return properties.inMemory() ? null : path(properties.path());
    }

    /**
     * Opens the store.
     *
     * @param more sets what the properties do not
     */
    Store open(Consumer<StoreBuilder> more) {
        StoreBuilder builder = Store.builder();
        builder.purgeInterval(Duration.ZERO); // the starter schedules the purge
        BuilderSettings settings = new BuilderSettings(builder, environment);
        settings.apply(properties);
        settings.applyEngine(properties.sqlite(), file());
        clock.ifUnique(builder::clock);
        more.accept(builder);
        try {
            return builder.open();
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException("store.path", properties.path(), e.getMessage(), e);
        }
    }

    private static Path path(String path) {
        if (path.isBlank()) {
            throw new InvalidConfigurationPropertyValueException("store.path", path, "it must name a file");
        }
        NO_PATHS.forEach((beginning, remedy) -> {
            if (path.startsWith(beginning)) {
                throw new InvalidConfigurationPropertyValueException("store.path", path, "it is not a path: " + remedy);
            }
        });
        try {
            return Path.of(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new InvalidConfigurationPropertyValueException("store.path", path, e.getReason(), e);
        }
    }
}
