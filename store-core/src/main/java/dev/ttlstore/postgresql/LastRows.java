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

    /** How much memory they take, about: enough for some 15,000 counters. */
    static final long MOST_BYTES = 4L * 1024 * 1024;

    /** Larger values are not worth the memory. */
    private static final int MAX_BYTES = 1_024;

    /** What a row takes besides its texts and its value, about. */
    private static final int BYTES_OF_ROW = 240;

    private final Map<RowKey, Known> rows = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /**
     * What is known of a row.
     *
     * @param row the row; null if there is none
     * @param confirmed whether a read has found it as this node had left it
     */
    record Known(@Nullable Row row, boolean confirmed) {}

    /** The name of the row that a commit has found not to be as expected; for the attempt after it. */
    private @Nullable RowKey foundKey;

    private @Nullable Row found;

    /** Notes what a commit has found that has changed nothing: a row, or null if there is none. */
    void found(RowKey key, @Nullable Row row) {
        foundKey = key;
        found = row;
    }

    /** Tests whether the last attempt has changed nothing, and has found out what there is. */
    boolean hasFound(RowKey key) {
        if (foundKey != null && !foundKey.equals(key)) {
            foundKey = null; // nobody tries that again
            found = null;
        }
        return foundKey != null;
    }

    /** Returns a row that can be supposed, or null if it has to be read. */
    @Nullable
    Known recall(RowKey key) {
        if (hasFound(key)) {
            Known known = new Known(found, true);
            foundKey = null;
            found = null;
            return known;
        }
        Known known = rows.get(key);
        return known != null && known.confirmed ? known : null;
    }

    /** Notes a row that was read. */
    void read(RowKey key, @Nullable Row found) {
        Known known = rows.get(key);
        if (known != null) {
            put(key, new Known(found, Row.areSame(known.row, found)));
        }
    }

    /** Notes a row that this node has committed. */
    void committed(RowKey key, @Nullable Row after) {
        Known before = rows.get(key);
        if (after != null && after.value().length > MAX_BYTES) {
            forget(key);
        } else {
            put(key, new Known(after, before != null && before.confirmed));
        }
    }

    /** Notes that this node has renewed a row. */
    void renewed(RowKey key, long version, long expiresAt) {
        Known known = rows.get(key);
        Row row = known == null ? null : known.row;
        if (row == null || row.version() != version) {
            forget(key);
        } else {
            committed(key, row.withExpiry(expiresAt));
        }
    }

    /** Notes that a row was out of date, or that not all of it is known. */
    void forget(RowKey key) {
        Known before = rows.remove(key);
        if (before != null) {
            bytes -= size(key, before);
        }
    }

    private void put(RowKey key, Known known) {
        forget(key);
        Known unused = rows.put(key, known);
        bytes += size(key, known);
        while (bytes > MOST_BYTES) {
            forget(rows.keySet().iterator().next()); // the one that was not used for longest
        }
    }

    private static long size(RowKey key, Known known) {
        Row row = known.row;
        return BYTES_OF_ROW + 2L * key.key().length() + (row == null ? 0 : row.value().length);
    }
}
