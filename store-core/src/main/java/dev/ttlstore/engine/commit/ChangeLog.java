package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.Change.Kind;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** The changes of a commit in progress, each with the next sequence number of the store. Used by one thread. */
final class ChangeLog {

    private final List<Change> changes;
    private final long now;
    private final ToLongFunction<String> numbers;

    /**
     * Creates an empty log.
     *
     * @param now the time of the commit, in milliseconds since the epoch
     * @param numbers hands out the sequence numbers for the changes of a group
     * @param expected how many changes there are probably
     */
    ChangeLog(long now, ToLongFunction<String> numbers, int expected) {
        this.now = now;
        this.numbers = numbers;
        this.changes = new ArrayList<>(expected);
    }

    /** Adds a row that was put. Its version is the number of the change. */
    void put(Row row, boolean created) {
        changes.add(Change.put(row, created, now));
    }

    void deleted(Row row) {
        add(Kind.DELETED, row.key(), row.version(), Row.NEVER);
    }

    void expired(RowKey key, long version, long expiresAt) {
        add(Kind.EXPIRED, key, version, expiresAt);
    }

    private void add(Kind kind, RowKey key, long version, long expiresAt) {
        changes.add(
                new Change(kind, numbers.applyAsLong(key.group()), now, key.group(), key.key(), version, expiresAt, 0));
    }

    /** Adds expired rows that were removed and are not listed. */
    void unlisted(long rows) {
        addMany(Kind.UNLISTED, "", rows);
    }

    /** Adds a group that has lost all its live entries, if it had any. */
    void groupDeleted(String group, long entries) {
        addMany(Kind.GROUP_DELETED, group, entries);
    }

    private void addMany(Kind kind, String group, long rows) {
        if (rows > 0) {
            changes.add(new Change(kind, numbers.applyAsLong(group), now, group, "", 0, Row.NEVER, rows));
        }
    }

    int size() {
        return changes.size();
    }

    /** Removes the last changes, down to a size. Their numbers are not used again. */
    void truncate(int size) {
        changes.subList(size, changes.size()).clear();
    }

    /** Returns the changes, in order. */
    List<Change> all() {
        return changes;
    }
}
