package dev.ttlstore.spring.metrics;

import java.util.List;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Binds the meters of all stores, and of the groups that are counted separately. {@code @OnExpiry} methods subscribe
 * after the meters are created, so the meters look for subscribers again when the context is refreshed.
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
