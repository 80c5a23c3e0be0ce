package dev.ttlstore.spring.event;

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
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoresOfContext;

/**
 * Auto-configuration that publishes the events of all stores as application events. Each context calls its own
 * listeners.
 *
 * @since 0.1
 * @see StoreEventPublisher
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreEventProperties.class)
public final class StoreEventAutoConfiguration {

    StoreEventAutoConfiguration() {}

    /** Watches have a history also if nothing is published. */
    @Bean
    EventHistoryCustomizer ttlStoreEventHistory(StoreEventProperties properties) {
        return new EventHistoryCustomizer(properties);
    }

    /**
     * Returns null if events are off only at run time: in a context that was processed ahead of time, the condition
     * was evaluated at the build.
     */
    @Bean
    @ConditionalOnBooleanProperty(name = "store.events.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @Nullable
    StoreEventPublisher ttlStoreEventPublisher(
            ConfigurableApplicationContext context, StoreEventProperties properties) {
        if (!properties.enabled()) {
            return null;
        }
        Set<String> groups = Set.copyOf(properties.groups());
        if (groups.stream().anyMatch(String::isBlank)) {
            throw new InvalidConfigurationPropertyValueException(
                    "store.events.groups",
                    properties.groups(),
                    "it must name groups; remove it to publish the events of all groups, or set"
                            + " 'store.events.enabled' to false to publish none");
        }
        return new StoreEventPublisher(
                publishers(context), event -> groups.isEmpty() || groups.contains(event.group()));
    }

    /**
     * Chooses a publisher for each store. A context also publishes its events to its parents. If the parents publish
     * a store's events already, only the listeners of this context are called here.
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

    /** Excludes the publisher from lazy initialization: nothing injects it, so it would never be created. */
    @Bean
    static LazyInitializationExcludeFilter ttlStoreEventPublisherIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(StoreEventPublisher.class);
    }
}
