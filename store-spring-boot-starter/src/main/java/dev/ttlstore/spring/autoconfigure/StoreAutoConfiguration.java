package dev.ttlstore.spring.autoconfigure;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import dev.ttlstore.CodecFactory;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;

/**
 * Auto-configuration of the {@link Store}, unless the application has one of its own. It opens its file itself and publishes
 * no {@code DataSource}, so it neither needs one nor gets in the way of the application's.
 */
@AutoConfiguration(after = StoreJacksonAutoConfiguration.class)
@EnableConfigurationProperties(StoreProperties.class)
public final class StoreAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(StoreAutoConfiguration.class);

    /** What is a place elsewhere, and would here make files and folders of odd names. */
    private static final Map<String, String> NO_PATHS = Map.of(
            "~/", "say '${user.home}/' in place of '~/'",
            "file:", "leave out 'file:'",
            "jdbc:", "name the file alone",
            ":memory:", "set 'store.in-memory' to true");

    StoreAutoConfiguration() {}

    @Bean
    static IntervalConverter storeIntervalConverter() {
        return new IntervalConverter();
    }

    @Bean
    @ConditionalOnMissingBean
    Store store(
            StoreProperties properties,
            Environment environment,
            ObjectProvider<CodecFactory> codecs,
            ObjectProvider<InstantSource> clock,
            ObjectProvider<StoreBuilderCustomizer> customizers) {
        requireInterval(properties.purgeInterval());
        DeclaredNames.requireAsWritten(environment);
        DeclaredScopes scopes = DeclaredScopes.of(properties.scopes());
        StoreBuilder builder = Store.builder();
        place(builder, properties);
        builder.purgeInterval(Duration.ZERO); // the purge is a job of the application's scheduler
        new BuilderSettings(builder).apply(properties);
        codecs.ifAvailable(builder::codecs); // of several, one has to be the primary
        clock.ifUnique(builder::clock);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        Store store = open(builder, properties);
        scopes.applyTo(store);
        Path path = store.path();
        if (path == null) {
            log.info("The store is in memory, and lost when the application stops");
        } else {
            log.info("The store is in {}; set 'store.path' to keep it elsewhere", path);
        }
        return store;
    }

    private static void place(StoreBuilder builder, StoreProperties properties) {
        if (properties.inMemory()) {
            builder.inMemory();
        } else {
            builder.path(path(properties.path()));
        }
    }

    private static Store open(StoreBuilder builder, StoreProperties properties) {
        try {
            return builder.open();
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException("store.path", properties.path(), e.getMessage(), e);
        }
    }

    /** An empty property is bound as null. */
    static Duration requireInterval(@Nullable Duration interval) {
        if (interval == null || interval.isNegative()) {
            throw new InvalidConfigurationPropertyValueException(
                    OnPurgeJobCondition.INTERVAL,
                    interval,
                    "it must be a duration, and not negative; to turn the job off say '-'");
        }
        return interval;
    }

    private static Path path(String path) {
        if (path.isBlank()) {
            throw new InvalidConfigurationPropertyValueException("store.path", path, "it must name a file");
        }
        NO_PATHS.forEach((beginning, remedy) -> {
            if (path.startsWith(beginning)) {
                throw new InvalidConfigurationPropertyValueException("store.path", path, "it is no path: " + remedy);
            }
        });
        try {
            return Path.of(path).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new InvalidConfigurationPropertyValueException("store.path", path, e.getReason(), e);
        }
    }
}
