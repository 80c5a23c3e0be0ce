package dev.ttlstore.spring.expiry;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

import dev.ttlstore.Store;
import dev.ttlstore.event.Subscription;

import io.micrometer.observation.ObservationRegistry;

/**
 * Subscribes the methods with {@link OnExpiry}. It checks them when all singletons exist, and calls them from the last
 * phase of the start until the first phase of the stop. Each call is an observation. {@link #ending} waits for running
 * calls, so the store and the beans that they use stay available until they return.
 *
 * @since 0.1
 * @see OnExpiry
 */
public final class StoreExpiryHandlers implements SmartInitializingSingleton, SmartLifecycle {

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<Store> stores;
    private final ObjectProvider<ObservationRegistry> observations;
    private final RunningCalls calls = new RunningCalls();

    // Guarded by this.
    private final List<Subscription> subscriptions = new ArrayList<>();
    private List<ExpiryMethod> methods = List.of();
    private @Nullable Store store;
    private boolean running;

    /**
     * Creates the handlers, without searching for methods yet.
     *
     * @param beans the beans to search
     * @param stores the store whose expiries to handle; one, or a primary one
     * @param observations where to observe the calls, if there is one registry, or a primary one
     */
    public StoreExpiryHandlers(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Store> stores,
            ObjectProvider<ObservationRegistry> observations) {
        this.beans = beans;
        this.stores = stores;
        this.observations = observations;
    }

    /**
     * Finds the methods.
     *
     * @throws InvalidExpiryHandlerException if a method cannot be called
     */
    @Override
    public synchronized void afterSingletonsInstantiated() {
        methods = new ExpiryMethods(beans).find();
        if (!methods.isEmpty()) {
            store = stores.getIfUnique();
            if (store == null) {
                throw methods.get(0)
                        .refusal("there are several stores, and none is primary", "Mark one as @Primary", null);
            }
        }
    }

    /**
     * Subscribes the methods.
     *
     * @throws InvalidExpiryHandlerException if the store refuses the names or the value type of a method
     */
    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        Store handled = store;
        try {
            if (handled != null) { // null if there is no method
                ObservationRegistry registry = observations.getIfUnique(() -> ObservationRegistry.NOOP);
                ExpiryCalls observed = new ExpiryCalls(calls, registry);
                for (ExpiryMethod method : methods) {
                    Subscription subscription = method.subscribe(handled, observed);
                    if (subscription != null) {
                        subscriptions.add(subscription);
                    }
                }
            }
            running = true;
        } finally {
            if (!running) {
                closeSubscriptions();
            }
        }
    }

    /** Starts no further calls. Running calls continue. */
    @Override
    public synchronized void stop() {
        closeSubscriptions();
        running = false;
    }

    /**
     * Returns a lifecycle that waits for running calls after {@link #stop}. It waits in the phase in which the web
     * server shuts down gracefully. If it waited earlier, the web server would accept requests meanwhile.
     *
     * @return the lifecycle, in the phase of the web server's graceful shutdown
     */
    public SmartLifecycle ending() {
        return new GracefulShutdown(calls);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    private void closeSubscriptions() {
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
    }
}
