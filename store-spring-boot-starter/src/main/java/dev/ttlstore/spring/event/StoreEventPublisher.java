package dev.ttlstore.spring.event;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;

import dev.ttlstore.Store;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Subscription;

/**
 * Publishes every {@link StoreEvent} of a store as an application event, so that an {@code @EventListener} method with a
 * parameter of its type, or of {@code StoreEvent}, gets it. Listeners are called as a {@code StoreListener} is: after the
 * commit, in its order, by the time the write returns. What happens before all singletons exist is not published.
 */
public final class StoreEventPublisher implements SmartInitializingSingleton, DisposableBean {

    private final Store store;
    private final ApplicationEventPublisher publisher;
    private final Predicate<StoreEvent> filter;
    private @Nullable Subscription subscription;

    /**
     * Creates the publisher.
     *
     * @param store whose events to publish
     * @param publisher where to
     * @param filter which of them
     */
    public StoreEventPublisher(Store store, ApplicationEventPublisher publisher, Predicate<StoreEvent> filter) {
        this.store = store;
        this.publisher = publisher;
        this.filter = filter;
    }

    @Override
    public void afterSingletonsInstantiated() {
        subscription = store.onChange(event -> {
            if (filter.test(event)) {
                publisher.publishEvent(event);
            }
        });
    }

    @Override
    public void destroy() {
        if (subscription != null) {
            subscription.close();
        }
    }
}
