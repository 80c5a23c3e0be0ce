package dev.ttlstore.internal.watch;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

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
        InitialSignals start) {

    /**
     * The signals of a watch that come before its changes: the existing entries, and {@link WatchSignal.UpToDate} as the
     * last. Used by one thread at a time.
     */
    public interface InitialSignals {

        /** No signals. */
        InitialSignals NONE = before -> List.of();

        /**
         * Reads the next signals.
         *
         * @param before the sequence at which the changes of the watch begin; entries with this version or a later one
         *     come as changes
         * @return the signals, at least one; empty if the store is closed, so that there will be no more
         */
        List<WatchSignal> next(long before);
    }

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
