package dev.ttlstore.postgresql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** What the log tells of a commit whose answer was lost. */
final class ServerReceipts {

    private static final byte[] NO_BYTES = {};

    private static final int NO_VALUE = -1;

    private final Slots slots;
    private final ServerBatch batch;
    private final FoundRows found;
    private boolean any;
    private boolean complete = true;

    private ServerReceipts(Slots slots, ServerBatch batch, FoundRows found) {
        this.slots = slots;
        this.batch = batch;
        this.found = found;
    }

    /**
     * Reads what the server had found.
     *
     * @param batch what was committed
     * @param logged the rows of the commit in the log
     * @param time its time
     * @return null if the log does not tell all of it; so it is if nothing was logged but renewals
     */
    static @Nullable FoundRows read(Slots slots, ServerBatch batch, List<LogRow> logged, long time) {
        ServerReceipts receipts = new ServerReceipts(slots, batch, new FoundRows(slots, time));
        batch.slots().forEach(slot -> receipts.found.startFrom(slot, 0)); // those where nothing was numbered
        Set<RowKey> known = new HashSet<>();
        List<ByteBuffer> kept = new ArrayList<>();
        for (LogRow row : logged) {
            receipts.found.startFrom(row.slot(), row.seq());
            byte[] bytes = row.changes();
            List<Change> changes = bytes == null ? null : ChangeCodec.decode(bytes);
            if (bytes != null && changes != null) {
                receipts.any = true;
                receipts.readChanges(changes, known);
                int end = ChangeCodec.encode(changes).length;
                kept.add(ByteBuffer.wrap(bytes, end, bytes.length - end));
            }
        }
        kept.forEach(receipts::readKept); // of all slots in one row, and it says more than the changes
        return receipts.any && receipts.complete ? receipts.found : null;
    }

    private void readChanges(List<Change> changes, Set<RowKey> known) {
        boolean numbered = false;
        for (Change change : changes) {
            if (change.kind() == Change.Kind.SHORTENED) {
                continue;
            }
            if (!numbered) {
                found.startFrom(slots.slot(change.sequence()), slots.seq(change.sequence()));
                numbered = true;
            }
            RowKey key = new RowKey(change.group(), change.key());
            if (known.add(key) && change.kind() != Change.Kind.CREATED) {
                long expiresAt = change.kind() == Change.Kind.EXPIRED ? change.expiresAt() : Row.NEVER;
                found.add(new Row(key, NO_BYTES, change.version(), 0, 0, expiresAt));
            }
        }
    }

    private void readKept(ByteBuffer kept) {
        List<RowKey> keys = batch.keys();
        while (kept.hasRemaining()) {
            RowKey key = keys.get(kept.getInt() - 1);
            boolean changed = kept.getInt() != 0;
            long version = kept.getLong();
            long createdAt = kept.getLong();
            long updatedAt = kept.getLong();
            long expiresAt = kept.getLong();
            int length = kept.getInt();
            complete &= length != NO_VALUE || expiresAt <= found.now() || !batch.isValueNeeded(key);
            byte[] value = length == NO_VALUE ? NO_BYTES : new byte[length];
            ByteBuffer unused = kept.get(value);
            found.add(batch.completed(key, new Row(key, value, version, createdAt, updatedAt, expiresAt), changed));
        }
    }
}
