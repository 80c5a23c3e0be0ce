package dev.ttlstore.internal.base;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.ttlstore.event.Subscription;

/**
 * A subscription that ends once, no matter how often it is closed. Its listener may be registered a second time, and
 * that registration continues.
 */
public final class SubscriptionOnce implements Subscription {

    private final AtomicBoolean open = new AtomicBoolean(true);
    private final Runnable end;

    /**
     * Creates an open subscription.
     *
     * @param end called by the first close
     */
    public SubscriptionOnce(Runnable end) {
        this.end = end;
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            end.run();
        }
    }
}
