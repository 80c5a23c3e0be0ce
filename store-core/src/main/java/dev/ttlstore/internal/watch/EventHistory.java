package dev.ttlstore.internal.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;

/**
 * The last events, for watches that resume. It begins with the first watch, so that stores without watches pay nothing.
 * Used under the lock that orders the feeding of watches, except for {@link #isActive}.
 */
final class EventHistory {

    private static final long UNKNOWN = Long.MAX_VALUE;

    private final int capacity;
    private final Deque<StoreEvent> events = new ArrayDeque<>();

    /** All events after this sequence are here. */
    private long completeAfter = UNKNOWN;

    private volatile boolean active;

    /**
     * Creates an empty history.
     *
     * @param capacity how many events it holds at most; zero for no history
     */
    EventHistory(int capacity) {
        this.capacity = capacity;
    }

    void activate() {
        active = capacity > 0;
    }

    boolean isActive() {
        return active;
    }

    void add(StoreEvent event) {
        if (!active) {
            return;
        }
        if (completeAfter == UNKNOWN) {
            completeAfter = event.sequence() - 1;
        }
        events.add(event instanceof EntryPut put ? put.withValue(null) : event);
        if (events.size() > capacity) {
            completeAfter = events.remove().sequence();
        }
    }

    /** Forgets everything, because events never arrived. */
    void lost() {
        events.clear();
        completeAfter = UNKNOWN;
    }

    /** Tests whether all events after a sequence are here. */
    boolean isCompleteAfter(long sequence) {
        return completeAfter != UNKNOWN && sequence >= completeAfter;
    }

    /** Returns the events after a sequence that are here. */
    List<StoreEvent> after(long sequence) {
        return events.stream().filter(event -> event.sequence() > sequence).toList();
    }
}
