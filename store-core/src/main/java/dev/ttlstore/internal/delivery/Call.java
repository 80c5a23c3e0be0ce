package dev.ttlstore.internal.delivery;

import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;

/** A call of a handler. It is interrupted at most once, and its thread never after its end. */
final class Call {

    private final Delivery delivery;
    private final long begun = System.nanoTime();

    // Guarded by this.
    private @Nullable Thread thread = Thread.currentThread();
    private @Nullable String late;
    private boolean dropped;

    Call(Delivery delivery) {
        this.delivery = delivery;
    }

    Delivery delivery() {
        return delivery;
    }

    /** How long it has been running, in nanoseconds. */
    long age(long now) {
        return now - begun;
    }

    synchronized boolean isOf(Thread other) {
        return thread == other;
    }

    /** It has taken too long, and has failed by it whatever it does. */
    synchronized boolean interruptLate(String message) {
        if (late != null || thread == null) {
            return false;
        }
        late = message;
        thread.interrupt();
        return true;
    }

    /** It is not waited for any longer; what becomes of it is not known. */
    synchronized void drop() {
        dropped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** It is over; null if its outcome does not count. */
    @Nullable
    Outcome end(@Nullable Throwable failure) {
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
        return new Outcome(delivery, lateness == null ? failure : new TimeoutException(lateness));
    }
}
