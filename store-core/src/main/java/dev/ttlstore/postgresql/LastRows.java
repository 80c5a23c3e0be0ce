package dev.ttlstore.postgresql;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * The rows that this node has last committed, each in a commit of its own, as far as no other node seems to change them. The next
 * commit is decided from them without a read; it stores nothing if they are out of date. So a counter, a lock or a session that
 * stays with one node takes one round trip per write. Used under the writer's lock.
 */
final class LastRows {

    private static final int MOST = 1_000;

    /** Larger values are not worth the memory. */
    private static final int MAX_BYTES = 1_024;

    private final Map<RowKey, Known> rows = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<RowKey, Known> eldest) {
            return size() > MOST;
        }
    };

    /**
     * What is known of a row.
     *
     * @param row the row; null if there is none
     * @param confirmed whether a read has found it as this node had left it
     */
    record Known(@Nullable Row row, boolean confirmed) {}

    /** Returns a row that can be supposed, or null if it has to be read. */
    @Nullable
    Known recall(RowKey key) {
        Known known = rows.get(key);
        return known != null && known.confirmed ? known : null;
    }

    /** Notes a row that was read. */
    void read(RowKey key, @Nullable Row found) {
        Known known = rows.get(key);
        if (known != null) {
            rows.put(key, new Known(found, Row.areSame(known.row, found)));
        }
    }

    /** Notes a row that this node has committed. */
    void committed(RowKey key, @Nullable Row after) {
        Known before = rows.get(key);
        if (after != null && after.value().length > MAX_BYTES) {
            forget(key);
        } else {
            rows.put(key, new Known(after, before != null && before.confirmed));
        }
    }

    /** Notes that a row was out of date, or that not all of it is known. */
    void forget(RowKey key) {
        Known unused = rows.remove(key);
    }
}
