package dev.ttlstore.internal.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

/** The events of a commit in progress, each with the next sequence number of the store. Used by one thread. */
final class EventLog {

    private final List<StoreEvent> events = new ArrayList<>();
    private final Instant time;
    private final ToLongFunction<String> numbers;
    private final Predicate<String> valued;
    private long leftOut;
    private @Nullable Long leftOutNumber;

    /**
     * Creates an empty log.
     *
     * @param now the time of the commit, in milliseconds since the epoch
     * @param numbers hands out the sequence numbers for the events of a group
     * @param valued selects the groups whose events have the stored value
     */
    EventLog(long now, ToLongFunction<String> numbers, Predicate<String> valued) {
        this.valued = valued;
        this.time = Instant.ofEpochMilli(now);
        this.numbers = numbers;
    }

    /** Takes a sequence number: for an event of a group, or for the version of a row and the event that it was put. */
    long nextSequence(String group) {
        return numbers.applyAsLong(group);
    }

    /** Adds the event of a row that was put. Its version is the number of the event. */
    void put(Row row, boolean created) {
        events.add(new EntryPut(
                row.version(),
                time,
                row.key().group(),
                row.key().key(),
                row.version(),
                created,
                expiry(row.expiresAt()),
                valued.test(row.key().group()) ? row.value() : null));
    }

    /**
     * Changes the expiry in the events of rows that were put.
     *
     * @param expiries the new expiries, by the version of the row
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

    /**
     * Gives the events other numbers, in the same order.
     *
     * @param fresh hands out the numbers for the events of a group
     * @return the new numbers, by the old ones
     */
    Map<Long, Long> renumber(ToLongFunction<String> fresh) {
        Map<Long, Long> changed = new HashMap<>();
        events.forEach(event -> changed.put(event.sequence(), fresh.applyAsLong(event.group())));
        events.replaceAll(event -> numbered(event, changed));
        return changed;
    }

    private static StoreEvent numbered(StoreEvent event, Map<Long, Long> changed) {
        long sequence = changed.getOrDefault(event.sequence(), event.sequence());
        if (event instanceof EntryPut put) {
            return new EntryPut(
                    sequence,
                    put.timestamp(),
                    put.group(),
                    put.key(),
                    sequence,
                    put.created(),
                    put.expiresAt(),
                    put.value());
        }
        if (event instanceof EntryDeleted deleted) {
            long version = changed.getOrDefault(deleted.version(), deleted.version());
            return new EntryDeleted(sequence, deleted.timestamp(), deleted.group(), deleted.key(), version);
        }
        if (event instanceof EntryExpired expired) {
            long version = changed.getOrDefault(expired.version(), expired.version());
            return new EntryExpired(
                    sequence, expired.timestamp(), expired.group(), expired.key(), version, expired.expiresAt());
        }
        GroupDeleted deleted = (GroupDeleted) event;
        return new GroupDeleted(sequence, deleted.timestamp(), deleted.group(), deleted.entries());
    }

    private static EntryPut withExpiry(EntryPut put, long expiresAt) {
        return new EntryPut(
                put.sequence(),
                put.timestamp(),
                put.group(),
                put.key(),
                put.version(),
                put.created(),
                expiry(expiresAt),
                put.value());
    }

    private static @Nullable Instant expiry(long expiresAt) {
        return expiresAt == Row.NEVER ? null : Instant.ofEpochMilli(expiresAt);
    }

    void deleted(Row row) {
        events.add(new EntryDeleted(
                nextSequence(row.key().group()),
                time,
                row.key().group(),
                row.key().key(),
                row.version()));
    }

    void expired(RowKey key, long version, long expiresAt) {
        Instant expiry = Instant.ofEpochMilli(expiresAt);
        events.add(new EntryExpired(nextSequence(key.group()), time, key.group(), key.key(), version, expiry));
    }

    /** Counts expired entries that the commit removes and does not list, because nobody asks for their events. One number stands for them. */
    void leaveOut(long entries) {
        if (entries > 0) {
            leftOut += entries;
            leftOutNumber = nextSequence("");
        }
    }

    /** Returns how many events there would be besides. */
    long leftOut() {
        return leftOut;
    }

    /** Returns the number that stands for them; null if there are none. */
    @Nullable
    Long leftOutNumber() {
        return leftOutNumber;
    }

    /** Adds the event of a group that has lost all its live entries, if it had any. */
    void groupDeleted(String group, long entries) {
        if (entries > 0) {
            events.add(new GroupDeleted(nextSequence(group), time, group, entries));
        }
    }

    int size() {
        return events.size();
    }

    /** Removes the last events, down to a size. Their numbers are not used again. */
    void truncate(int size) {
        events.subList(size, events.size()).clear();
    }

    /** Returns the events, in order. */
    List<StoreEvent> events() {
        return events;
    }
}
