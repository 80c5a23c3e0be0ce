package dev.ttlstore.internal.watch;

import java.time.Instant;

import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.WatchSignal;

/** Events as a store makes them, with no store around. */
final class Events {

    private Events() {}

    /** A put of a key that no other event has. */
    static StoreEvent event(long sequence) {
        return put(sequence, "key" + sequence);
    }

    static EntryPut put(long sequence, String key) {
        return put(sequence, "group", key);
    }

    static EntryPut put(long sequence, String group, String key) {
        return new EntryPut(sequence, Instant.EPOCH, group, key, sequence, true, null);
    }

    static StoreEvent deleted(long sequence, String key) {
        return new EntryDeleted(sequence, Instant.EPOCH, "group", key, sequence);
    }

    static StoreEvent expired(long sequence, String key) {
        return new EntryExpired(sequence, Instant.EPOCH, "group", key, sequence, Instant.EPOCH);
    }

    static StoreEvent groupDeleted(long sequence, String group) {
        return new GroupDeleted(sequence, Instant.EPOCH, group, 1);
    }

    /** The signal of {@link #event}. */
    static WatchSignal change(long sequence) {
        return new WatchSignal.Change(event(sequence));
    }

    static WatchSignal gap(long fromSequence, long missed) {
        return new WatchSignal.Gap(fromSequence, missed);
    }
}
