package dev.ttlstore.postgresql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Change;
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

    private static final int NO_VALUE = -1;

    private final Slots slots;
    private final long time;
    private final Map<RowKey, Row> rows = new HashMap<>();

    /** The next number of each slot. */
    private final Map<Integer, Long> next = new HashMap<>();

    FoundRows(Slots slots, long time) {
        this.slots = slots;
        this.time = time;
    }

    /**
     * Reads what the server had found from the log, after its answer was lost.
     *
     * @param slots the slots
     * @param batch what was committed
     * @param logged the rows of the commit in the log
     * @param time its time
     * @return null if the log does not tell all of it; so it is if nothing was logged but renewals
     */
    static @Nullable FoundRows logged(Slots slots, ServerBatch batch, List<LogRow> logged, long time) {
        FoundRows found = new FoundRows(slots, time);
        batch.slots().forEach(slot -> found.startFrom(slot, 0)); // those where nothing was numbered
        Set<RowKey> known = new HashSet<>();
        List<ByteBuffer> kept = new ArrayList<>();
        for (LogRow row : logged) {
            found.startFrom(row.slot(), row.seq());
            byte[] bytes = row.changes();
            List<Change> changes = bytes == null ? null : ChangeCodec.decode(bytes);
            if (bytes != null && changes != null) {
                found.addChanges(changes, known);
                int end = ChangeCodec.encode(changes).length;
                kept.add(ByteBuffer.wrap(bytes, end, bytes.length - end));
            }
        }
        boolean complete = !kept.isEmpty();
        for (ByteBuffer receipts : kept) { // of all slots in one row, and it says more than the changes
            complete &= found.addKept(receipts, batch);
        }
        return complete ? found : null;
    }

    private void addChanges(List<Change> changes, Set<RowKey> known) {
        boolean numbered = false;
        for (Change change : changes) {
            if (change.kind() == Change.Kind.SHORTENED) {
                continue;
            }
            if (!numbered) {
                startFrom(slots.slot(change.sequence()), slots.seq(change.sequence()));
                numbered = true;
            }
            RowKey key = new RowKey(change.group(), change.key());
            if (known.add(key) && change.kind() != Change.Kind.CREATED) {
                long expiresAt = change.kind() == Change.Kind.EXPIRED ? change.expiresAt() : Row.NEVER;
                add(new Row(key, ServerCommit.NO_BYTES, change.version(), 0, 0, expiresAt));
            }
        }
    }

    /** Adds the rows that the log has kept for the answer. Returns whether each has the value that the answer needs. */
    private boolean addKept(ByteBuffer kept, ServerBatch batch) {
        boolean complete = true;
        while (kept.hasRemaining()) {
            RowKey key = batch.keys().get(kept.getInt() - 1);
            boolean changed = kept.getInt() != 0;
            long version = kept.getLong();
            long createdAt = kept.getLong();
            long updatedAt = kept.getLong();
            long expiresAt = kept.getLong();
            int length = kept.getInt();
            complete &= length != NO_VALUE || expiresAt <= time || !batch.isValueNeeded(key);
            byte[] value = length == NO_VALUE ? ServerCommit.NO_BYTES : new byte[length];
            ByteBuffer unused = kept.get(value);
            add(batch.completed(key, new Row(key, value, version, createdAt, updatedAt, expiresAt), changed));
        }
        return complete;
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
