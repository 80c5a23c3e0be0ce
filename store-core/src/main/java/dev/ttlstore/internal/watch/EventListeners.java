package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.SafeLog;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.base.SubscriptionOnce;

/**
 * The registered listeners. One thread at a time calls them, one after the other. What a listener throws is counted and logged, and
 * affects neither the write nor other listeners. Threads that wait until the current call returns can look at it. Thread-safe.
 */
final class EventListeners {

    private static final Logger log = LoggerFactory.getLogger(EventListeners.class);

    private final List<Subscribed> listeners = new CopyOnWriteArrayList<>();
    private final LongAdder failures = new LongAdder();

    /** How many listeners and watches have asked for values. */
    private final AtomicInteger askedForValues;

    /** The listener that is being called, and the thread that calls it; null without a call. */
    private volatile @Nullable StoreListener called;

    private volatile @Nullable Thread caller;

    /** When the call started; zero without a call. */
    private volatile long begun;

    /** The start of the last call that exceeded its time. */
    private volatile long over;

    /** A registered listener, with the one answer that it has given. Each registration is equal to itself alone. */
    private static final class Subscribed {
        private final StoreListener listener;
        private final Predicate<String> groups;
        private final boolean wantsValues;

        private Subscribed(StoreListener listener, Predicate<String> groups) {
            this.listener = listener;
            this.groups = groups;
            this.wantsValues = listener.wantsValues();
        }
    }

    EventListeners(AtomicInteger askedForValues) {
        this.askedForValues = askedForValues;
    }

    Subscription add(StoreListener listener, Predicate<String> groups) {
        Subscribed subscribed = new Subscribed(listener, groups);
        int asks = subscribed.wantsValues ? 1 : 0;
        askedForValues.addAndGet(asks);
        listeners.add(subscribed);
        return new SubscriptionOnce(() -> {
            listeners.remove(subscribed);
            askedForValues.addAndGet(-asks);
        });
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** Calls the listeners that take the event. */
    void tell(ValuedEvent event) {
        for (Subscribed subscribed : listeners) {
            if (subscribed.groups.test(event.plain().group())) { // before its value is opened
                tell(subscribed, event.forReceiver(subscribed.wantsValues));
            }
        }
    }

    private void tell(Subscribed subscribed, StoreEvent event) {
        called = subscribed.listener;
        caller = Thread.currentThread();
        begun = System.nanoTime() | 1;
        try {
            subscribed.listener.onEvent(event);
        } catch (Throwable e) { // whatever the failure, the write is committed and other callers wait for their turn
            failed(event, e);
        }
        begun = 0;
        called = null;
        caller = null;
    }

    /** Returns how long the current call has been running; zero if there is none. */
    long callNanos() {
        long since = begun;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    /** Returns whether the current call exceeds a time limit; true only once for each call. */
    boolean isCallNewlyOver(long limitNanos) {
        long since = begun;
        if (since == 0 || since == over || System.nanoTime() - since < limitNanos) {
            return false;
        }
        over = since;
        return true;
    }

    /** Returns the beginning of a message about a current call that takes long. */
    String describedCall() {
        StoreListener listener = called;
        Thread thread = caller;
        return (listener == null ? "A listener" : "The listener " + listener) + " has not returned for "
                + TimeUnit.NANOSECONDS.toSeconds(callNanos()) + " s; see the stack of its thread '"
                + (thread == null ? "unknown" : thread.getName()) + "'";
    }

    /** Returns the stack trace of the calling thread, for the log. */
    Throwable whereCalled() {
        Throwable place = new Throwable("The stack of the listener's thread");
        Thread thread = caller;
        if (thread != null) {
            place.setStackTrace(thread.getStackTrace());
        }
        return place;
    }

    /** Counts and logs a failure. Never throws. */
    void failed(StoreEvent event, Throwable failure) {
        try {
            countFailure();
            SafeLog.ofApplication(
                            log,
                            "A listener has failed on " + event.getClass().getSimpleName() + " " + event.sequence()
                                    + " in group '" + Printable.of(event.group()) + "'; the write succeeded")
                    .warn(failure);
        } catch (RuntimeException | Error noRoomToSaySo) {
            return;
        }
    }

    void countFailure() {
        failures.increment();
    }

    long failures() {
        return failures.sum();
    }
}
