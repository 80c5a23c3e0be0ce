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

/**
 * Has the methods with {@link OnExpiry} called. They are checked when all singletons are there, called from the last phase of
 * the start on, and no more from the first phase of the stop on; {@link #ending} waits for the calls that go on. So the beans
 * that they use, and the store, are there as long as they run.
 */
public final class StoreExpiryHandlers implements SmartInitializingSingleton, SmartLifecycle {

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<Store> stores;
    private final RunningCalls calls = new RunningCalls();

    // Guarded by this.
    private final List<Subscription> subscriptions = new ArrayList<>();
    private List<ExpiryMethod> methods = List.of();
    private @Nullable Store store;
    private boolean running;

    /**
     * Creates them, without looking for any yet.
     *
     * @param beans where the methods are found
     * @param stores whose expiries to handle; one, or a primary one
     */
    public StoreExpiryHandlers(ConfigurableListableBeanFactory beans, ObjectProvider<Store> stores) {
        this.beans = beans;
        this.stores = stores;
    }

    /**
     * Finds the methods.
     *
     * @throws InvalidExpiryHandlerException if one cannot be called
     */
    @Override
    public synchronized void afterSingletonsInstantiated() {
        methods = new ExpiryMethods(beans).find();
        if (!methods.isEmpty()) {
            store = stores.getIfUnique();
            if (store == null) {
                throw methods.get(0)
                        .refusal("there are several stores, and none is the primary one", "Mark one as @Primary", null);
            }
        }
    }

    /**
     * Has the methods called from now on.
     *
     * @throws InvalidExpiryHandlerException if the store refuses the names or the class of the values of one
     */
    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        Store handled = store;
        try {
            if (handled != null) { // it is null when there is no method
                for (ExpiryMethod method : methods) {
                    Subscription subscription = method.subscribe(handled, calls);
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

    /** Begins no call any more. Those that run go on. */
    @Override
    public synchronized void stop() {
        closeSubscriptions();
        running = false;
    }

    /**
     * What waits for the calls that go on when no more is begun. It does so while the web server shuts down gracefully, and not
     * before, or that would take requests meanwhile.
     *
     * @return the waiting, in the phase of the web server's graceful shutdown
     */
    public SmartLifecycle ending() {
        return new Ending(calls);
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
