package dev.ttlstore.internal.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;

/**
 * The last events, for watches that resume. It begins with the first watch, so that stores without watches pay nothing.
 * Used under the lock that orders the feeding of watches, except for {@link #isActive}, {@link #committed} and
 * {@link #missed}, which the writers call.
 */
final class EventHistory {

    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final long NONE = Long.MIN_VALUE;

    private final int capacity;
    private final Deque<StoreEvent> events = new ArrayDeque<>();

    /** The largest number that a reader can have, whether or not its event is here yet. */
    private final AtomicLong newest = new AtomicLong(NONE);

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

    /**
     * Keeps the events from now on.
     *
     * @param from a number that was handed out to the reader: events that are committed later have larger ones;
     *     {@link Long#MIN_VALUE} if there is none
     */
    void activate(long from) {
        if (capacity == 0) {
            return;
        }
        boolean first = !active;
        active = true; // before the newest number is read: an event with a larger one will be kept
        long known = newest.accumulateAndGet(from, Math::max);
        if (completeAfter == UNKNOWN && (first || from != NONE) && known != NONE) {
            completeAfter = known;
        }
    }

    /** Notes the numbers of a commit before anybody can read them. Called in the order of the commits. */
    void committed(List<StoreEvent> commit) {
        if (capacity > 0) {
            for (StoreEvent event : commit) {
                newest.accumulateAndGet(event.sequence(), Math::max);
            }
        }
    }

    /** Notes that events of other processes never arrived, with numbers that nobody knows. */
    void missed() {
        newest.set(NONE);
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
            completeAfter = Math.max(completeAfter, events.remove().sequence());
        }
    }

    /** Forgets everything, because events never arrived. */
    void lost() {
        events.clear();
        completeAfter = UNKNOWN;
    }

    /** Tests whether a number can be one of this store since it was opened. A larger one is of another store. */
    boolean isReached(long sequence) {
        return sequence <= newest.get();
    }

    /** Tests whether all events after a sequence are here, or will come. */
    boolean isCompleteAfter(long sequence) {
        return completeAfter != UNKNOWN && sequence >= completeAfter && isReached(sequence);
    }

    /** Returns the events after a sequence that are here. */
    List<StoreEvent> after(long sequence) {
        return events.stream().filter(event -> event.sequence() > sequence).toList();
    }
}
