package dev.ttlstore.internal.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

/** The events of a commit in the making, each with the next number of the store's sequence. Used by one thread. */
final class EventLog {

    private final List<StoreEvent> events = new ArrayList<>();
    private final Instant time;
    private long sequence;
    private boolean expired;

    /**
     * Begins a log.
     *
     * @param now the time of the commit, in milliseconds since the epoch
     * @param sequence the last number given out
     */
    EventLog(long now, long sequence) {
        this.time = Instant.ofEpochMilli(now);
        this.sequence = sequence;
    }

    /** The number of the next event, which is the version of what it puts. */
    long nextVersion() {
        return sequence + 1;
    }

    /** A row was put, with the next version. */
    void put(Row row, boolean created) {
        sequence = row.version();
        events.add(new EntryPut(
                sequence, time, row.key().group(), row.key().key(), row.version(), created, expiry(row.expiresAt())));
    }

    /**
     * Rows expire at other times than was said when they were put.
     *
     * @param expiries the times, by the version of the row
     */
    void moved(Map<Long, Long> expiries) {
        if (expiries.isEmpty()) {
            return;
        }
        events.replaceAll(event -> {
            Long moved = event instanceof EntryPut put ? expiries.get(put.version()) : null;
            return moved == null ? event : withExpiry((EntryPut) event, moved);
        });
    }

    private static EntryPut withExpiry(EntryPut put, long expiresAt) {
        return new EntryPut(
                put.sequence(),
                put.timestamp(),
                put.group(),
                put.key(),
                put.version(),
                put.created(),
                expiry(expiresAt));
    }

    private static @Nullable Instant expiry(long expiresAt) {
        return expiresAt == Row.NEVER ? null : Instant.ofEpochMilli(expiresAt);
    }

    void deleted(Row row) {
        events.add(
                new EntryDeleted(++sequence, time, row.key().group(), row.key().key(), row.version()));
    }

    void expired(RowKey key, long version, long expiresAt) {
        expired = true;
        Instant expiry = Instant.ofEpochMilli(expiresAt);
        events.add(new EntryExpired(++sequence, time, key.group(), key.key(), version, expiry));
    }

    /** A group has lost all its live entries, if it had any. */
    void groupDeleted(String group, long entries) {
        if (entries > 0) {
            events.add(new GroupDeleted(++sequence, time, group, entries));
        }
    }

    /** The last number given out. Numbers of events that were taken back are not given out again. */
    long sequence() {
        return sequence;
    }

    /** Whether an entry has expired; also when that was taken back. */
    boolean hasExpired() {
        return expired;
    }

    int size() {
        return events.size();
    }

    /** Takes back the last events. */
    void truncate(int size) {
        events.subList(size, events.size()).clear();
    }

    /** The events, in order. */
    List<StoreEvent> events() {
        return events;
    }
}
