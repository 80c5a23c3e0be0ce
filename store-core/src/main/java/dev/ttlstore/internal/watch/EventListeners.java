package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

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
 * affects neither the write nor other listeners. Thread-safe.
 */
final class EventListeners {

    private static final Logger log = LoggerFactory.getLogger(EventListeners.class);

    private final List<Subscribed> listeners = new CopyOnWriteArrayList<>();
    private final LongAdder failures = new LongAdder();

    /** The current call of a listener, if there is one. */
    private final ListenerCall call = new ListenerCall();

    /** How many listeners and watches have asked for values. */
    private final AtomicInteger askedForValues;

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

    ListenerCall call() {
        return call;
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
        call.begins(subscribed.listener);
        try {
            subscribed.listener.onEvent(event);
        } catch (Throwable e) { // whatever the failure, the write is committed and other callers wait for their turn
            failed(event, e);
        }
        call.ends();
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
