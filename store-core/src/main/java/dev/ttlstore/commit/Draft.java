package dev.ttlstore.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiredRow;
import dev.ttlstore.engine.Mark;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

/**
 * A commit in the making: the rows that its mutations have named, what they make of them, and the events that tell it. All
 * expiry on the way of a write is judged here, by one time for the whole commit. Used by one thread.
 */
public final class Draft {

    /** Numbers are set aside in blocks, so that a commit need not save the last one each time. */
    private static final int SEQUENCE_BLOCK = 10_000;

    /** How far the saved time may lag behind, given that there are commits at all. */
    private static final long TIME_LAG_MILLIS = 1_000;

    private final EngineTransaction transaction;
    private final long now;
    private final boolean telling;
    private final Map<RowKey, Slot> slots = new HashMap<>();
    private final List<Undo> undos = new ArrayList<>();
    private final List<StoreEvent> events = new ArrayList<>();

    private long sequence;
    private Mark mark;

    /**
     * Begins a commit.
     *
     * @param transaction the engine's transaction
     * @param keys the rows that its mutations name
     * @param clock the store's time
     * @param sequence the last sequence number given out
     * @param mark the mark that the engine holds
     * @param telling whether anyone wants the events
     */
    Draft(
            EngineTransaction transaction,
            Collection<RowKey> keys,
            StoreClock clock,
            long sequence,
            Mark mark,
            boolean telling) {
        this.transaction = transaction;
        this.sequence = sequence;
        this.mark = mark;
        this.telling = telling;
        Map<RowKey, Row> loaded = keys.isEmpty() ? Map.of() : transaction.load(keys);
        for (RowKey key : keys) {
            slots.put(key, new Slot(loaded.get(key)));
        }
        this.now = clock.now(); // after the load, so that the time between reading a row and judging it is short
    }

    /**
     * The time of the commit.
     *
     * @return milliseconds since the epoch
     */
    public long now() {
        return now;
    }

    /**
     * The live entry under a key. An expired row found in its place is removed, and its expiry told.
     *
     * @param key the row
     * @return the row as earlier mutations of this commit left it, or null
     */
    public @Nullable Row live(RowKey key) {
        Slot slot = slot(key);
        Row row = slot.current;
        if (row == null || row.isLiveAt(now)) {
            return row;
        }
        change(slot, null);
        tellExpired(key, row.version(), row.expiresAt());
        return null;
    }

    /**
     * Puts a value under a key.
     *
     * @param key the row
     * @param value the encoded value
     * @param expiresAt when it shall expire
     * @return the new version
     */
    public long put(RowKey key, byte[] value, long expiresAt) {
        Row live = live(key);
        long version = ++sequence;
        long createdAt = live == null ? now : live.createdAt();
        change(slot(key), new Row(key, value, version, createdAt, now, expiresAt));
        if (telling) {
            Instant expiry = expiresAt == Row.NEVER ? null : Instant.ofEpochMilli(expiresAt);
            events.add(new EntryPut(version, time(), key.group(), key.key(), version, live == null, expiry));
        }
        return version;
    }

    /**
     * Removes a live entry.
     *
     * @param live the row, as {@link #live} answered it
     */
    public void delete(Row live) {
        change(slot(live.key()), null);
        long number = ++sequence;
        if (telling) {
            events.add(new EntryDeleted(
                    number, time(), live.key().group(), live.key().key(), live.version()));
        }
    }

    /**
     * Gives a live entry another expiry.
     *
     * @param live the row, as {@link #live} answered it
     * @param expiresAt when it shall expire
     */
    public void reschedule(Row live, long expiresAt) {
        change(slot(live.key()), live.withExpiry(expiresAt));
    }

    /**
     * Removes the entries of a group: first the expired ones, so that their expiry is told, then the live ones at once.
     *
     * @param group the full group name
     * @return how many live entries went
     */
    long clear(String group) {
        tellExpired(transaction.removeExpired(group, now));
        long removed = transaction.removeGroup(group);
        if (removed > 0) {
            long number = ++sequence;
            if (telling) {
                events.add(new GroupDeleted(number, time(), group, removed));
            }
        }
        return removed;
    }

    /**
     * Removes expired entries.
     *
     * @param until only those that had expired at this time
     * @param limit how many at most
     * @return how many went
     */
    int purge(long until, int limit) {
        List<ExpiredRow> removed = transaction.removeExpired(Math.min(until, now), limit);
        tellExpired(removed);
        return removed.size();
    }

    /**
     * Has the mark saved though nothing has changed.
     *
     * @return true
     */
    boolean touch() {
        save(new Mark(sequence, now));
        return true;
    }

    /**
     * Runs a mutation; when it throws, all that it has done here is undone.
     *
     * @param mutation the mutation
     * @return its answer
     * @param <R> the type of the answer
     */
    <R extends @Nullable Object> R apply(Mutation<R> mutation) {
        int eventsBefore = events.size();
        undos.clear();
        boolean done = false;
        try {
            R answer = mutation.apply(this);
            done = true;
            return answer;
        } finally {
            if (!done) {
                for (int i = undos.size() - 1; i >= 0; i--) {
                    undos.get(i).slot.current = undos.get(i).row;
                }
                events.subList(eventsBefore, events.size()).clear();
            }
        }
    }

    /** Has the engine store what the mutations have decided. */
    void store() {
        List<RowChange> changes = new ArrayList<>();
        for (Slot slot : slots.values()) {
            if (slot.isChanged()) {
                changes.add(new RowChange(slot.loaded, slot.current));
            }
        }
        if (!changes.isEmpty()) {
            transaction.store(changes);
        }
        if (sequence > mark.sequence() || (!changes.isEmpty() && now - mark.time() >= TIME_LAG_MILLIS)) {
            save(new Mark(sequence > mark.sequence() ? sequence + SEQUENCE_BLOCK : mark.sequence(), now));
        }
    }

    private void save(Mark newMark) {
        transaction.save(newMark);
        mark = newMark;
    }

    /**
     * The last sequence number given out.
     *
     * @return the number
     */
    long sequence() {
        return sequence;
    }

    /**
     * The mark that the engine holds once the commit is done.
     *
     * @return the mark
     */
    Mark mark() {
        return mark;
    }

    /**
     * What there is to tell once the commit is done.
     *
     * @return the events, in order
     */
    List<StoreEvent> events() {
        return events;
    }

    private void tellExpired(List<ExpiredRow> rows) {
        for (ExpiredRow row : rows) {
            tellExpired(row.key(), row.version(), row.expiresAt());
        }
    }

    private void tellExpired(RowKey key, long version, long expiresAt) {
        long number = ++sequence;
        if (telling) {
            Instant expiry = Instant.ofEpochMilli(expiresAt);
            events.add(new EntryExpired(number, time(), key.group(), key.key(), version, expiry));
        }
    }

    private Instant time() {
        return Instant.ofEpochMilli(now);
    }

    private Slot slot(RowKey key) {
        Slot slot = slots.get(key);
        if (slot == null) {
            throw new IllegalStateException("A mutation asked for a row that it had not named");
        }
        return slot;
    }

    private void change(Slot slot, @Nullable Row row) {
        undos.add(new Undo(slot, slot.current));
        slot.current = row;
    }

    private static final class Slot {
        private final @Nullable Row loaded;
        private @Nullable Row current;

        private Slot(@Nullable Row loaded) {
            this.loaded = loaded;
            this.current = loaded;
        }

        @SuppressWarnings("ReferenceEquality") // a row is replaced when it changes, and never made anew otherwise
        private boolean isChanged() {
            return loaded != current;
        }
    }

    private record Undo(Slot slot, @Nullable Row row) {}
}
