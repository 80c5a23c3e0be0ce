package dev.ttlstore.internal.delivery;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.exception.StoreException;

/**
 * A call of a handler. It is interrupted at most once, and its thread is never interrupted after the call has ended.
 */
final class HandlerCall {

    private final Delivery delivery;

    private final long begun = System.nanoTime();

    // Guarded by this.
    private @Nullable Thread thread = Thread.currentThread();
    private @Nullable String late;
    private boolean dropped;

    HandlerCall(Delivery delivery) {
        this.delivery = delivery;
    }

    Delivery delivery() {
        return delivery;
    }

    /** Returns how long the call has been running, in nanoseconds. */
    long age(long now) {
        return now - begun;
    }

    synchronized boolean isOf(Thread other) {
        return thread == other;
    }

    /**
     * Interrupts a call that has taken too long, and returns whether it did. Such a call has failed, whatever the
     * handler does afterwards.
     */
    synchronized boolean interruptLate(String message) {
        if (late != null || thread == null) {
            return false;
        }
        late = message;
        thread.interrupt();
        return true;
    }

    /** Interrupts a call whose end nobody waits for any longer. If it fails, its outcome does not count. */
    synchronized void drop() {
        dropped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Ends the call and returns its outcome; null if the outcome does not count. */
    @Nullable
    Result end(@Nullable Throwable failure, boolean attempted) {
        boolean counts;
        String lateness;
        synchronized (this) {
            thread = null;
            counts = failure == null || !dropped;
            lateness = late;
        }
        if (!counts) {
            return null;
        }
        return new Result(delivery, lateness == null ? failure : new StoreException(lateness), attempted);
    }

    /**
     * The outcome of a call.
     *
     * @param delivery the delivery
     * @param failure the exception of the call; null if the handler has returned
     * @param attempted whether it counts as an attempt; false if the handler was not called, or has begun nothing
     */
    record Result(Delivery delivery, @Nullable Throwable failure, boolean attempted) {}
}
