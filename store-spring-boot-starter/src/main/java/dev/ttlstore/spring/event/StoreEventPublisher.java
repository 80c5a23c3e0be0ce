package dev.ttlstore.spring.event;

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
    private @Nullable Subscription subscription;

    /**
     * Creates the publisher.
     *
     * @param store whose events to publish
     * @param publisher where to
     */
    public StoreEventPublisher(Store store, ApplicationEventPublisher publisher) {
        this.store = store;
        this.publisher = publisher;
    }

    @Override
    public void afterSingletonsInstantiated() {
        subscription = store.onChange(publisher::publishEvent);
    }

    @Override
    public void destroy() {
        if (subscription != null) {
            subscription.close();
        }
    }
}
