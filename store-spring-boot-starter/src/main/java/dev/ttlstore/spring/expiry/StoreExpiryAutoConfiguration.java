package dev.ttlstore.spring.expiry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import io.micrometer.observation.ObservationRegistry;

/**
 * Auto-configuration for {@code @OnExpiry} methods, and for how the store handles expiries.
 *
 * @since 0.1
 * @see OnExpiry
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreExpiryProperties.class)
public final class StoreExpiryAutoConfiguration {

    StoreExpiryAutoConfiguration() {}

    @Bean
    ExpiryCustomizer ttlStoreExpiryCustomizer(StoreExpiryProperties properties, Environment environment) {
        return new ExpiryCustomizer(properties, environment);
    }

    /** One per context, because it searches the beans of one context. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    StoreExpiryHandlers ttlStoreExpiryHandlers(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Store> stores,
            ObjectProvider<ObservationRegistry> observations) {
        return new StoreExpiryHandlers(beans, stores, observations);
    }

    /**
     * Takes a provider, because Spring stops a bean together with the beans that it depends on, and not in its own
     * phase.
     */
    @Bean
    SmartLifecycle ttlStoreExpiryEnding(ObjectProvider<StoreExpiryHandlers> handlers) {
        return handlers.getObject().ending();
    }

    /** Excludes the handlers from lazy initialization: nothing injects them, so they would never be created. */
    @Bean
    static LazyInitializationExcludeFilter ttlStoreExpiryHandlersAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(StoreExpiryHandlers.class);
    }
}
