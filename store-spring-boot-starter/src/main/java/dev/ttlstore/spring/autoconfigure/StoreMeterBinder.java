package dev.ttlstore.spring.autoconfigure;

import java.util.List;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import dev.ttlstore.spring.metrics.StoreMetrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of all stores, and of groups that are counted by themselves. When the application has started its {@code @OnExpiry}
 * methods have subscribed, which they had not when the meters were made.
 */
record StoreMeterBinder(List<StoreMetrics> stores, List<MeterBinder> groups)
        implements MeterBinder, ApplicationListener<ContextRefreshedEvent> {

    @Override
    public void bindTo(MeterRegistry registry) {
        stores.forEach(store -> store.bindTo(registry));
        groups.forEach(group -> group.bindTo(registry));
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        stores.forEach(StoreMetrics::findSubscribers);
    }
}
