package dev.ttlstore.spring.autoconfigure;

import java.util.Set;

import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.event.StoreEventPublisher;

/** Auto-configuration of store events as application events. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(Store.class)
@ConditionalOnBooleanProperty(name = "store.events.enabled", matchIfMissing = true)
@EnableConfigurationProperties(StoreProperties.class)
public final class StoreEventAutoConfiguration {

    StoreEventAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    StoreEventPublisher storeEventPublisher(
            Store store, ApplicationEventPublisher publisher, StoreProperties properties) {
        Set<String> groups = Set.copyOf(properties.events().groups());
        return new StoreEventPublisher(store, publisher, event -> groups.isEmpty() || groups.contains(event.group()));
    }

    /** Nobody injects the publisher, so lazy initialization would never create it. */
    @Bean
    static LazyInitializationExcludeFilter storeEventPublisherIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(StoreEventPublisher.class);
    }
}
