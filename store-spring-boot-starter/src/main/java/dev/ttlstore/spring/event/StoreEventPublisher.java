package dev.ttlstore.spring.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationEventPublisher;

import dev.ttlstore.Store;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Subscription;

/**
 * Publishes every {@link StoreEvent} of stores as an application event, so that an {@code @EventListener} method with a
 * parameter of its type, or of {@code StoreEvent}, gets it. Listeners are called as a {@code StoreListener} is: after the
 * commit, in its order, by the time the write returns. What happens before all singletons exist is not published.
 */
public final class StoreEventPublisher implements SmartInitializingSingleton, DisposableBean {

    private final Map<Store, ApplicationEventPublisher> publishers = new LinkedHashMap<>();
    private final Predicate<StoreEvent> filter;
    private final List<Subscription> subscriptions = new ArrayList<>();

    /**
     * Creates the publisher.
     *
     * @param store whose events to publish
     * @param publisher where to
     * @param filter which of them
     */
    public StoreEventPublisher(Store store, ApplicationEventPublisher publisher, Predicate<StoreEvent> filter) {
        this(Map.of(store, publisher), filter);
    }

    /**
     * Creates a publisher for several stores. Events do not tell of which store they are.
     *
     * @param publishers whose events to publish, and where to
     * @param filter which of them
     */
    public StoreEventPublisher(
            Map<? extends Store, ? extends ApplicationEventPublisher> publishers, Predicate<StoreEvent> filter) {
        this.publishers.putAll(publishers);
        this.filter = filter;
    }

    @Override
    public void afterSingletonsInstantiated() {
        publishers.forEach((store, publisher) -> {
            Subscription subscription = store.onChange(event -> {
                if (filter.test(event)) {
                    publisher.publishEvent(event);
                }
            });
            if (subscription != null) { // it is for a mock of a test
                subscriptions.add(subscription);
            }
        });
    }

    @Override
    public void destroy() {
        subscriptions.forEach(Subscription::close);
    }
}
