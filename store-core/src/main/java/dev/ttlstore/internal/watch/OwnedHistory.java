package dev.ttlstore.internal.watch;

import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicLong;

import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.event.StoreEvent;

/** The last events of an engine that one process owns: their numbers rise across the whole store, whatever a watch watches. */
final class OwnedHistory implements EventHistory {

    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final long NONE = Long.MIN_VALUE;

    private final int capacity;
    private final Deque<StoreEvent> events = new LinkedBlockingDeque<>();
    private final BytePermits room;

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
    OwnedHistory(int capacity) {
        this.capacity = capacity;
        this.room = EventSizes.room(capacity);
    }

    @Override
    public void activate(long from, String watched) {
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

    @Override
    public void committed(List<StoreEvent> commit) {
        if (capacity > 0) {
            for (StoreEvent event : commit) {
                passed(event.sequence());
            }
        }
    }

    @Override
    public boolean isOrdered() {
        return true;
    }

    @Override
    public void passed(long sequence) {
        long unused = newest.accumulateAndGet(sequence, Math::max);
    }

    @Override
    public void missed() {
        newest.set(NONE);
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public void add(StoreEvent event) {
        if (!active) {
            return;
        }
        if (completeAfter == UNKNOWN) {
            completeAfter = event.sequence() - 1;
        }
        events.add(event);
        room.takeAnyway(EventSizes.of(event));
        while (events.size() > capacity || !room.isLeft()) {
            completeAfter = Math.max(completeAfter, removeOldest().sequence());
        }
    }

    private StoreEvent removeOldest() {
        StoreEvent oldest = events.remove();
        room.giveBack(EventSizes.of(oldest));
        return oldest;
    }

    @Override
    public void lost() {
        while (!events.isEmpty()) {
            StoreEvent unused = removeOldest();
        }
        completeAfter = UNKNOWN;
    }

    @Override
    public boolean isReached(long sequence, String watched) {
        return sequence <= newest.get();
    }

    @Override
    public boolean isCompleteAfter(long sequence, String watched) {
        return completeAfter != UNKNOWN && sequence >= completeAfter && isReached(sequence, watched);
    }

    @Override
    public List<StoreEvent> after(long sequence, String watched) {
        return events.stream().filter(event -> event.sequence() > sequence).toList();
    }
}
