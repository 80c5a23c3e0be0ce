package dev.ttlstore.internal.base;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.ttlstore.event.Subscription;

/** A subscription that ends once, however often it is closed: its listener may be there a second time, and go on. */
public final class SubscriptionOnce implements Subscription {

    private final AtomicBoolean open = new AtomicBoolean(true);
    private final Runnable end;

    /**
     * Creates one that is open.
     *
     * @param end what its first close calls
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
