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
 * Publishes every {@link StoreEvent} of stores as an application event for {@code @EventListener} methods. A method
 * with a parameter of type {@code StoreEvent} receives all of them. Listeners are called like a {@code StoreListener}:
 * after the commit, in commit order, and before the write returns. The publisher starts when all singletons exist; it
 * drops earlier events.
 *
 * <pre>{@code
 * @EventListener
 * void onExpired(EntryExpired event) {
 *     log.info("An entry of {} expired at {}", event.group(), event.expiresAt());
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreEvent
 * @see dev.ttlstore.spring.expiry.OnExpiry
 */
public final class StoreEventPublisher implements SmartInitializingSingleton, DisposableBean {

    private final Map<Store, ApplicationEventPublisher> publishers = new LinkedHashMap<>();
    private final Predicate<StoreEvent> filter;
    private final List<Subscription> subscriptions = new ArrayList<>();

    /**
     * Creates a publisher for one store.
     *
     * @param store the store
     * @param publisher the receiver of the events
     * @param filter selects the events to publish
     */
    public StoreEventPublisher(Store store, ApplicationEventPublisher publisher, Predicate<StoreEvent> filter) {
        this(Map.of(store, publisher), filter);
    }

    /**
     * Creates a publisher for several stores. An event does not name its store.
     *
     * @param publishers the stores, each with the receiver of its events
     * @param filter selects the events to publish
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
            if (subscription != null) { // null for a mock in a test
                subscriptions.add(subscription);
            }
        });
    }

    @Override
    public void destroy() {
        subscriptions.forEach(Subscription::close);
    }
}
