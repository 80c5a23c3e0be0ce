package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;

/**
 * Auto-configuration of when stores begin and end: they are opened before the beans that may use them are created, and so
 * closed when those have been destroyed. Their watches end when the context begins to close.
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBean(Store.class)
public final class StoreLifecycleAutoConfiguration {

    StoreLifecycleAutoConfiguration() {}

    @Bean
    static StoresComeFirst ttlStoresComeFirst() {
        return new StoresComeFirst();
    }

    @Bean
    StoreChoices ttlStoreChoices(ConfigurableListableBeanFactory beans) {
        return new StoreChoices(beans);
    }

    @Bean
    WatchesEndFirst ttlStoreWatchesEndFirst(ApplicationContext context, ConfigurableListableBeanFactory beans) {
        return new WatchesEndFirst(context, beans);
    }

    /** Background beans of the starter create it at the start in any case; so it had better be first. */
    @Bean
    static LazyInitializationExcludeFilter ttlStoresAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(Store.class, StoreChoices.class);
    }
}
