package dev.ttlstore.internal.watch;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.event.WatchSignal.Change;
import dev.ttlstore.event.WatchSignal.Gap;

import static java.util.Objects.requireNonNull;

/**
 * The signals that wait to be read from a watch, and the decision what to drop if there is no room. Room is a number of changes, and the
 * bytes that they take. A single change always has room. Each operation is O(1), amortized. Not thread-safe; {@link WatchQueue} guards
 * it.
 *
 * <p>Gaps take no room, but are bounded all the same, because there is always a change between two of them.
 */
final class WatchBuffer {

    private final int capacity;
    private final Overflow overflow;
    private final BytePermits room;

    /** The signals in order, by their subject. Each subject has one signal. */
    private final Map<Object, Kept> signals = new LinkedHashMap<>();

    /** A signal and the room that it takes, which is none for a gap. */
    private record Kept(WatchSignal signal, long bytes) {}

    /** How many of the signals are changes. */
    private int changes;

    /**
     * A gap without a place among the signals yet: after all of them if new changes are dropped, otherwise before all.
     */
    private @Nullable Gap gap;

    /** Whether changes are missing after everything that was offered so far. They get their gap with the next change, or when it is read. */
    private boolean isLost;

    /** From which sequence number on they are missing. */
    private long lostFrom;

    /** The place of the last such gap among the signals, which no event has. */
    private Object lossPlace = new Object();

    private long dropped;
    private long conflated;

    WatchBuffer(WatchOptions options) {
        this.capacity = options.capacity();
        this.overflow = options.overflow();
        this.room = EventSizes.room(options.capacity());
    }

    /**
     * Adds a change. If this throws, for want of memory, the change is missing, and everything before it is as it was, except that
     * a change that this one replaces may be missing, too.
     *
     * @param event the change, later than all before
     * @param valueBytes the size of its value; zero if it has none
     * @return whether there was room; if not, this change or older ones have been dropped
     */
    boolean offer(StoreEvent event, long valueBytes) {
        placeLoss();
        Kept change = new Kept(new Change(event), EventSizes.of(event) + valueBytes);
        Object subject = subject(event);
        replaces(subject);
        boolean hasRoom = hasRoomFor(change);
        if (overflow == Overflow.DROP_NEWEST) {
            if (!hasRoom) {
                miss(event);
                return false;
            }
            placeGap();
        }
        while (!hasRoomFor(change)) {
            dropOldest();
        }
        int before = signals.size();
        try {
            signals.put(subject, change);
        } finally {
            if (signals.size() > before) { // without memory to grow, the map may have added it all the same
                changes++;
                room.takeAnyway(change.bytes());
            }
        }
        return hasRoom;
    }

    private boolean hasRoomFor(Kept change) {
        return changes < capacity && room.isThere(change.bytes());
    }

    /**
     * Adds a gap after everything that was offered so far: changes that never arrived, or that there was no memory for. Needs no memory
     * itself.
     *
     * @param fromSequence the sequence number from which changes may be missing
     */
    void lost(long fromSequence) {
        if (!isLost) {
            // If changes replace others, those between two gaps may vanish. So there is one gap then, at the latest
            // place.
            Kept earlier = overflow == Overflow.LATEST_PER_KEY ? signals.remove(lossPlace) : null;
            lostFrom = earlier != null && earlier.signal() instanceof Gap before ? before.fromSequence() : fromSequence;
            isLost = true;
            dropped++;
        }
    }

    private void placeLoss() {
        if (isLost) {
            if (overflow == Overflow.DROP_NEWEST) {
                gap = gap == null ? new Gap(lostFrom, 1) : new Gap(gap.fromSequence(), gap.missed() + 1);
            } else {
                Object place = new Object();
                signals.put(place, new Kept(new Gap(lostFrom, 1), 0));
                lossPlace = place;
            }
            isLost = false;
        }
    }

    /** Takes the next signal; returns null if there is none. */
    @Nullable
    WatchSignal poll() {
        if (signals.isEmpty()) {
            placeLoss();
        }
        if (gap != null && (overflow != Overflow.DROP_NEWEST || signals.isEmpty())) {
            WatchSignal missed = gap;
            gap = null;
            return missed;
        }
        Iterator<Kept> oldest = signals.values().iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        Kept kept = oldest.next();
        oldest.remove();
        if (kept.signal() instanceof Change) {
            gone(kept);
        }
        return kept.signal();
    }

    private void gone(Kept change) {
        changes--;
        room.giveBack(change.bytes());
    }

    boolean isEmpty() {
        return signals.isEmpty() && gap == null && !isLost;
    }

    long dropped() {
        return dropped;
    }

    long conflated() {
        return conflated;
    }

    /** Removes the change of the same subject, if only the latest is kept. */
    private void replaces(Object subject) {
        if (overflow == Overflow.LATEST_PER_KEY && signals.containsKey(subject)) {
            gone(requireNonNull(signals.remove(subject)));
            conflated++;
        }
    }

    private void dropOldest() {
        Iterator<Kept> oldest = signals.values().iterator();
        Kept kept = oldest.next();
        while (kept.signal() instanceof Gap before) { // it joins the gap at the head; the change after it is the oldest
            gap = gap == null ? before : new Gap(gap.fromSequence(), gap.missed() + before.missed());
            oldest.remove();
            kept = oldest.next();
        }
        miss(((Change) kept.signal()).event()); // first: there may be no memory for the gap
        oldest.remove();
        gone(kept);
    }

    private void miss(StoreEvent event) {
        gap = gap == null ? new Gap(event.sequence(), 1) : new Gap(gap.fromSequence(), gap.missed() + 1);
        dropped++;
    }

    private void placeGap() {
        if (gap != null) {
            signals.put(new Object(), new Kept(gap, 0));
            gap = null;
        }
    }

    /**
     * Returns the subject of an event. An event replaces an earlier one of the same subject. That is the entry or the
     * whole group if only the latest is kept, otherwise the event itself. Entries and groups are comparable, so that the map stays fast even
     * if somebody has chosen keys with the same hash code.
     */
    private Object subject(StoreEvent event) {
        if (overflow != Overflow.LATEST_PER_KEY) {
            return event.sequence();
        }
        String key = EventSizes.key(event);
        return key == null ? event.group() : event.group() + '\0' + key; // names contain no NUL
    }
}
