package dev.ttlstore.spring.event;

import org.springframework.core.PriorityOrdered;

import dev.ttlstore.StoreBuilder;
import dev.ttlstore.spring.autoconfigure.StoreBuilderCustomizer;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/** Applies the number of events to keep to the store. Runs before other customizers, so that they can override it. */
final class EventHistoryCustomizer implements StoreBuilderCustomizer, PriorityOrdered {

    private final StoreEventProperties properties;

    EventHistoryCustomizer(StoreEventProperties properties) {
        this.properties = properties;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void customize(StoreBuilder builder) {
        set("store.events.history", properties.history(), builder::eventHistory);
    }
}
