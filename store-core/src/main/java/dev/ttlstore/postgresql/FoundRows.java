package dev.ttlstore.postgresql;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import dev.ttlstore.engine.EngineView;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

import static java.util.Objects.requireNonNull;

/**
 * What the server has found when it decided a batch: by these rows, this time and these numbers, this node comes to the same. Used by one
 * thread.
 */
final class FoundRows implements EngineView {

    private final Slots slots;
    private final long time;
    private final Map<RowKey, Row> rows = new HashMap<>();

    /** The next number of each slot. */
    private final Map<Integer, Long> next = new HashMap<>();

    FoundRows(Slots slots, long time) {
        this.slots = slots;
        this.time = time;
    }

    /** Notes a row that was there, live or expired. */
    void add(Row row) {
        rows.put(row.key(), row);
    }

    /** Notes the first number that the server has handed out in a slot. */
    void startFrom(int slot, long number) {
        next.put(slot, number);
    }

    /** Returns the number after those that were handed out in a slot. */
    long next(int slot) {
        return requireNonNull(next.get(slot));
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Map<RowKey, Row> found = new HashMap<>();
        for (RowKey key : keys) {
            Row row = rows.get(key);
            if (row != null) {
                found.put(key, row);
            }
        }
        return new Loaded(found, Map.of());
    }

    @Override
    public Reads reads() {
        throw new IllegalStateException("Only requests are decided in the server, which read nothing else");
    }

    @Override
    public long now() {
        return time;
    }

    @Override
    public long nextSequence(String group) {
        int slot = slots.of(group);
        long number = next(slot);
        next.put(slot, number + 1);
        return slots.number(slot, number);
    }
}
