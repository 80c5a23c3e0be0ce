package dev.ttlstore.internal.watch;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;

/** How much memory events take, about. */
public final class EventSizes {

    /** What an event takes beside the chars of its names and its value, with its place in a queue. */
    private static final int BYTES_OF_EVENT = 200;

    /** What a buffer or a history may always hold. */
    static final long LEAST_ROOM = 16 * 1024 * 1024;

    /** What it may hold for each event that it is meant to hold: enough for events without values, unless their names are long. */
    private static final int ROOM_OF_EVENT = 512;

    private EventSizes() {}

    /** Returns the size of an event without its value. */
    static long of(StoreEvent event) {
        String key = key(event);
        return BYTES_OF_EVENT + (long) Character.BYTES * (event.group().length() + (key == null ? 0 : key.length()));
    }

    /**
     * Returns the key of the entry that an event is about.
     *
     * @param event the event
     * @return the key; null if the event is about a group
     */
    public static @Nullable String key(StoreEvent event) {
        if (event instanceof EntryPut put) {
            return put.key();
        } else if (event instanceof EntryDeleted deleted) {
            return deleted.key();
        }
        return event instanceof EntryExpired expired ? expired.key() : null;
    }

    /** Returns the room for a number of events. */
    static BytePermits room(int events) {
        return new BytePermits(Math.max(LEAST_ROOM, (long) ROOM_OF_EVENT * events));
    }
}
