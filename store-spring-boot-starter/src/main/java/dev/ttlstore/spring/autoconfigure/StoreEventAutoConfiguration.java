package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.event.StoreEventPublisher;

/** Auto-configuration of store events as application events. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(Store.class)
public final class StoreEventAutoConfiguration {

    StoreEventAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    StoreEventPublisher storeEventPublisher(Store store, ApplicationEventPublisher publisher) {
        return new StoreEventPublisher(store, publisher);
    }

    /** Nobody injects the publisher, so lazy initialization would never create it. */
    @Bean
    static LazyInitializationExcludeFilter storeEventPublisherIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(StoreEventPublisher.class);
    }
}
