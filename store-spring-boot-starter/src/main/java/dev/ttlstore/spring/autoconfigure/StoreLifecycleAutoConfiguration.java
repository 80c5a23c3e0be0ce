package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;

/**
 * Auto-configuration for the lifecycle of stores. Stores are opened before the beans that may use them are created,
 * so they are closed after those are destroyed. Watches end when the context starts to close.
 *
 * @since 0.1
 * @see StoreAutoConfiguration
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBean(Store.class)
public final class StoreLifecycleAutoConfiguration {

    StoreLifecycleAutoConfiguration() {}

    @Bean
    static StoresComeFirst ttlStoresComeFirst(Environment environment) {
        return new StoresComeFirst(environment);
    }

    @Bean
    StoreChoices ttlStoreChoices(ConfigurableListableBeanFactory beans) {
        return new StoreChoices(beans);
    }

    @Bean
    WatchesEndFirst ttlStoreWatchesEndFirst(ApplicationContext context, ConfigurableListableBeanFactory beans) {
        return new WatchesEndFirst(context, beans);
    }

    /**
     * Excludes stores from lazy initialization: background beans of the starter create them at start-up anyway, so
     * they come first.
     */
    @Bean
    static LazyInitializationExcludeFilter ttlStoresAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(Store.class, StoreChoices.class);
    }
}
