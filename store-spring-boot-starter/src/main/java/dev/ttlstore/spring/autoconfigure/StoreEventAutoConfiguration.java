package dev.ttlstore.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;

import dev.ttlstore.Store;
import dev.ttlstore.spring.event.StoreEventPublisher;

/** Auto-configuration of store events as application events, of all stores. Each context tells its own listeners. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBean(Store.class)
@ConditionalOnBooleanProperty(name = "store.events.enabled", matchIfMissing = true)
@EnableConfigurationProperties(StoreProperties.class)
public final class StoreEventAutoConfiguration {

    StoreEventAutoConfiguration() {}

    /** Null when they are off only now: in a context that was processed ahead of time the condition was asked at the build. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @Nullable
    StoreEventPublisher ttlStoreEventPublisher(ConfigurableApplicationContext context, StoreProperties properties) {
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
        return new StoreEventPublisher(
                publishers(context), event -> groups.isEmpty() || groups.contains(event.group()));
    }

    /**
     * A context hands what it publishes on to those above. Where they are told of the events of their stores already, only
     * the listeners of this one are told of them here.
     */
    private static Map<Store, ApplicationEventPublisher> publishers(ConfigurableApplicationContext context) {
        Map<String, Store> stores = StoresOfContext.all(context);
        Set<String> own = StoresOfContext.without(StoreEventPublisher.class, context, stores)
                .keySet();
        Map<Store, ApplicationEventPublisher> publishers = new LinkedHashMap<>();
        stores.forEach((name, store) -> publishers.put(store, own.contains(name) ? context : toListenersOf(context)));
        return publishers;
    }

    private static ApplicationEventPublisher toListenersOf(ConfigurableApplicationContext context) {
        ApplicationEventMulticaster listeners = context.getBeanFactory()
                .getBean(
                        AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
                        ApplicationEventMulticaster.class);
        return event -> listeners.multicastEvent(new PayloadApplicationEvent<>(context, event));
    }

    /** Nobody injects the publisher, so lazy initialization would never create it. */
    @Bean
    static LazyInitializationExcludeFilter ttlStoreEventPublisherIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(StoreEventPublisher.class);
    }
}
