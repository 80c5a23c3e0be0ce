package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

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

/**
 * Auto-configuration for the {@link Store}, unless the application declares one. The store opens its file itself. It
 * publishes no {@code DataSource}, so it needs none and does not affect the application's.
 */
@AutoConfiguration(after = StoreJacksonAutoConfiguration.class)
@EnableConfigurationProperties(StoreProperties.class)
public final class StoreAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(StoreAutoConfiguration.class);

    /** The name of the store's bean. Beans of an application are unlikely to have it. */
    static final String STORE = "ttlStore";

    StoreAutoConfiguration() {}

    @Bean
    static IntervalConverter ttlStoreIntervalConverter() {
        return new IntervalConverter();
    }

    @Bean
    static StorePreloading ttlStorePreloading(Environment environment) {
        return new StorePreloading(environment);
    }

    @Bean
    static PropertyCheck ttlStorePropertyCheck(Environment environment) {
        return new PropertyCheck(environment);
    }

    @Bean
    static OthersInEnvironment ttlStoreOthersInEnvironment(Environment environment) {
        return new OthersInEnvironment(environment);
    }

    @Bean
    static CachingNotice ttlStoreCachingNotice(Environment environment) {
        return new CachingNotice(environment);
    }

    @Bean(STORE)
    @ConditionalOnMissingBean
    Store ttlStore(
            StoreProperties properties,
            Environment environment,
            ObjectProvider<CodecFactory> codecs,
            ObjectProvider<InstantSource> clock,
            ObjectProvider<StoreBuilderCustomizer> customizers) {
        requireInterval(properties.purgeInterval());
        DeclaredScopes scopes = DeclaredScopes.of(properties.scopes());
        Store store = new ConfiguredStore(properties, clock, environment).open(builder -> {
            codecs.ifAvailable(builder::codecs); // of several, only a primary one
            customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        });
        scopes.applyTo(store);
        Path path = store.path();
        if (path == null) {
            log.info("The store is in memory and is lost when the application stops");
        } else {
            log.info("The store is in {}. To keep it elsewhere, set 'store.path'", path);
        }
        return store;
    }

    /** Checks the interval. An empty property is bound as null. */
    static Duration requireInterval(@Nullable Duration interval) {
        if (interval == null || interval.isNegative()) {
            throw new InvalidConfigurationPropertyValueException(
                    OnPurgeJobCondition.INTERVAL,
                    interval,
                    "it must be a duration that is not negative; write '-' to turn the job off");
        }
        return interval;
    }
}
