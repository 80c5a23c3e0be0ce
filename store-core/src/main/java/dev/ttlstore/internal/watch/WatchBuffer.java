package dev.ttlstore.internal.watch;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.Overflow;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;
import dev.ttlstore.event.WatchSignal.Change;
import dev.ttlstore.event.WatchSignal.Gap;

/**
 * What waits to be read from a watch, and what becomes of a change when there is no room: decisions alone, each of them O(1)
 * over time. Not thread-safe; {@link WatchQueue} guards it.
 *
 * <p>Gaps take no room, and are bounded all the same: two of them always have a change in between.
 */
final class WatchBuffer {

    private final int capacity;
    private final Overflow overflow;

    /** What is told, in order, by what it is about: there is one signal for each. */
    private final Map<Object, WatchSignal> signals = new LinkedHashMap<>();

    /** How many of the signals are changes. */
    private int changes;

    /** What was missed and has no place among the signals yet: behind them all where new ones are dropped, else before. */
    private @Nullable Gap gap;

    private long dropped;
    private long conflated;

    WatchBuffer(WatchOptions options) {
        this.capacity = options.capacity();
        this.overflow = options.overflow();
    }

    /**
     * Takes a change in.
     *
     * @param event the change, later than all before
     * @return whether there was room; if not, this change or the oldest one has been dropped
     */
    boolean offer(StoreEvent event) {
        boolean room = replaces(event) || changes < capacity;
        if (overflow == Overflow.DROP_NEWEST) {
            if (!room) {
                miss(event);
                return false;
            }
            placeGap();
        } else if (!room) {
            dropOldest();
        }
        signals.put(subject(event), new Change(event));
        changes++;
        return room;
    }

    /** Takes the next signal out; null if there is none. */
    @Nullable
    WatchSignal poll() {
        if (gap != null && (overflow != Overflow.DROP_NEWEST || signals.isEmpty())) {
            WatchSignal missed = gap;
            gap = null;
            return missed;
        }
        Iterator<WatchSignal> oldest = signals.values().iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        WatchSignal next = oldest.next();
        oldest.remove();
        if (next instanceof Change) {
            changes--;
        }
        return next;
    }

    boolean isEmpty() {
        return signals.isEmpty() && gap == null;
    }

    long dropped() {
        return dropped;
    }

    long conflated() {
        return conflated;
    }

    /** Whether the change is to take the place of another, which has then gone. */
    private boolean replaces(StoreEvent event) {
        if (overflow != Overflow.LATEST_PER_KEY || signals.remove(subject(event)) == null) {
            return false;
        }
        changes--;
        conflated++;
        return true;
    }

    private void dropOldest() {
        Iterator<WatchSignal> oldest = signals.values().iterator();
        if (oldest.next() instanceof Change change) { // as all of them are, where the oldest is dropped
            miss(change.event());
        }
        oldest.remove();
        changes--;
    }

    private void miss(StoreEvent event) {
        gap = gap == null ? new Gap(event.sequence(), 1) : new Gap(gap.fromSequence(), gap.missed() + 1);
        dropped++;
    }

    private void placeGap() {
        if (gap != null) {
            signals.put(gap.fromSequence(), gap);
            gap = null;
        }
    }

    /**
     * What an event replaces another of: the entry or the whole group if only the latest is kept, else itself. Both are
     * comparable, so that a map stays fast though somebody has chosen keys of the same hash code.
     */
    private Object subject(StoreEvent event) {
        if (overflow != Overflow.LATEST_PER_KEY) {
            return event.sequence();
        }
        String key = key(event);
        return key == null ? event.group() : event.group() + '\0' + key; // there is no NUL in a name
    }

    private static @Nullable String key(StoreEvent event) {
        if (event instanceof EntryPut put) {
            return put.key();
        } else if (event instanceof EntryDeleted deleted) {
            return deleted.key();
        } else if (event instanceof EntryExpired expired) {
            return expired.key();
        } else if (event instanceof GroupDeleted) {
            return null;
        }
        throw new IllegalArgumentException("'event' must be of a known kind, but is a " + event.getClass());
    }
}
