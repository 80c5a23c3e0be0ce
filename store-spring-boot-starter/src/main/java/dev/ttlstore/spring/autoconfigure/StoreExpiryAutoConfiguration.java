package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.expiry.StoreExpiryHandlers;

/** Auto-configuration of {@code @OnExpiry} methods. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBean(Store.class)
public final class StoreExpiryAutoConfiguration {

    StoreExpiryAutoConfiguration() {}

    /** Each context has its own: they look for methods in the beans of one. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    StoreExpiryHandlers ttlStoreExpiryHandlers(ConfigurableListableBeanFactory beans, ObjectProvider<Store> stores) {
        return new StoreExpiryHandlers(beans, stores);
    }

    /** A provider, for Spring would stop what depends on the handlers along with them, and not in its own phase. */
    @Bean
    SmartLifecycle ttlStoreExpiryEnding(ObjectProvider<StoreExpiryHandlers> handlers) {
        return handlers.getObject().ending();
    }

    /** Nobody injects them, so lazy initialization would never create them. */
    @Bean
    static LazyInitializationExcludeFilter ttlStoreExpiryHandlersAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(StoreExpiryHandlers.class);
    }
}
