package dev.ttlstore.internal.watch;

import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;

/** Dispatchers and requests for tests. */
public final class Dispatchers {

    private static final EventValues NO_VALUES = new EventValues(Set.of(), (group, key, stored) -> {
        throw new AssertionError("Nobody has asked for values");
    });

    private Dispatchers() {}

    /** Opens a watch on later events. */
    public static Watch watch(EventDispatcher dispatcher, WatchRequest request) {
        return dispatcher.watch(request, Long.MIN_VALUE);
    }

    /** A dispatcher of events without values, and without a history. */
    public static EventDispatcher plain() {
        return new EventDispatcher(NO_VALUES, 0, null);
    }

    /** A dispatcher of events without values. */
    public static EventDispatcher withHistory(int history, UnaryOperator<String> orders) {
        return new EventDispatcher(NO_VALUES, history, orders);
    }

    /** Registers a listener of all groups. */
    public static Subscription subscribe(EventDispatcher dispatcher, StoreListener listener) {
        return dispatcher.subscribe(listener, group -> true);
    }

    /** A request to watch everything. */
    public static WatchRequest all() {
        return request(WatchOptions.defaults(), event -> true, event -> event);
    }

    static WatchRequest request(WatchOptions options, Predicate<StoreEvent> filter, UnaryOperator<StoreEvent> mapping) {
        return new WatchRequest("", options, filter, mapping, WatchRequest.InitialSignals.NONE);
    }
}
