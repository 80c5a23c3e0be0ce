package dev.ttlstore.spring.autoconfigure;

import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
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

    /** Null when they are off only now: in a context that was processed ahead of time the condition was asked at the build. */
    @Bean
    @ConditionalOnMissingBean
    @Nullable
    StoreEventPublisher ttlStoreEventPublisher(
            Store store, ApplicationEventPublisher publisher, StoreProperties properties) {
        if (!properties.events().enabled()) {
            return null;
        }
        Set<String> groups = Set.copyOf(properties.events().groups());
        if (groups.stream().anyMatch(String::isBlank)) {
            throw new InvalidConfigurationPropertyValueException(
                    "store.events.groups",
                    properties.events().groups(),
                    "it must name groups; leave it out to have the events of all, and set 'store.events.enabled' to false"
                            + " to have none");
        }
        return new StoreEventPublisher(store, publisher, event -> groups.isEmpty() || groups.contains(event.group()));
    }

    /** Nobody injects the publisher, so lazy initialization would never create it. */
    @Bean
    static LazyInitializationExcludeFilter ttlStoreEventPublisherIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(StoreEventPublisher.class);
    }
}
