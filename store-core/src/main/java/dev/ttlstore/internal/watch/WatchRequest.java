package dev.ttlstore.internal.watch;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchOptions;

/**
 * A watch to open. Writers call filter and mapping, so both must be fast.
 *
 * @param watched the full name of the group to watch; the prefix of the groups if there are several, empty for all
 * @param options the capacity of the buffer, what happens if it is full, and where the watch starts
 * @param filter selects events, which have no values yet
 * @param mapping converts events for the reader; it must keep their sequence
 * @param start the signals before the changes
 */
public record WatchRequest(
        String watched,
        WatchOptions options,
        Predicate<StoreEvent> filter,
        UnaryOperator<StoreEvent> mapping,
        WatchStart start) {

    /**
     * Returns a request with another filter.
     *
     * @param newFilter selects events
     * @return the changed request
     */
    public WatchRequest with(Predicate<StoreEvent> newFilter) {
        return new WatchRequest(watched, options, newFilter, mapping, start);
    }
}
