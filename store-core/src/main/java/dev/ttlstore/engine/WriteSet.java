package dev.ttlstore.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What a commit writes, once it is decided.
 *
 * @param by the time by which it was decided, in milliseconds since the epoch
 * @param rows the changed rows, one change for each
 * @param expired the rows that were found expired, in the order in which they were found. They are removed, or replaced
 * @param changes what has happened, one or more for a row, in the order of their numbers
 * @since 0.1
 */
public record WriteSet(long by, List<RowChange> rows, List<Row> expired, List<Change> changes) {

    /**
     * Tests whether there is nothing to write.
     *
     * @return whether no row was changed, and nothing else has happened
     */
    public boolean isEmpty() {
        return rows.isEmpty() && changes.isEmpty();
    }

    /**
     * Counts ttls from the time at which the rows are stored, because deciding may have taken a while, and an entry lives for its whole ttl.
     *
     * @param time the time, not before {@link #by}
     * @return what is written then
     */
    public WriteSet from(long time) {
        if (time == by) {
            return this;
        }
        Map<Long, Row> moved = new HashMap<>();
        List<RowChange> changed = new ArrayList<>(rows.size());
        for (RowChange row : rows) {
            RowChange later = row.from(time);
            Row after = later.after();
            if (after != null && !later.equals(row)) {
                moved.put(after.version(), after);
            }
            changed.add(later);
        }
        return moved.isEmpty() ? this : new WriteSet(by, changed, expired, withRows(moved));
    }

    private List<Change> withRows(Map<Long, Row> byVersion) {
        List<Change> moved = new ArrayList<>(changes);
        moved.replaceAll(change -> {
            Row row = change.row() == null ? null : byVersion.get(change.version());
            return row == null ? change : change.with(row);
        });
        return moved;
    }

    /**
     * Tests whether the numbers are negative, as those of a snapshot that commits much later. No row ever gets them.
     *
     * @return whether the commit has to draw others
     */
    public boolean isProvisional() {
        return !changes.isEmpty() && changes.get(0).sequence() < 0;
    }

    /**
     * Gives the changes, and the rows that are put, other numbers, which rise in the same order.
     *
     * @param numbers hands out the numbers for the changes of a group
     * @return what is written with these numbers
     */
    public WriteSet renumbered(ToLongFunction<String> numbers) {
        Map<Long, Long> fresh = new HashMap<>();
        changes.forEach(change -> fresh.put(change.sequence(), numbers.applyAsLong(change.group())));
        Map<Long, Row> put = new HashMap<>();
        List<RowChange> renumbered = new ArrayList<>(rows.size());
        for (RowChange row : rows) {
            Row after = row.after();
            Long version = after == null ? null : fresh.get(after.version());
            if (after == null || version == null) {
                renumbered.add(row);
            } else {
                Row numbered = after.withVersion(version);
                put.put(after.version(), numbered);
                renumbered.add(row.to(numbered));
            }
        }
        List<Change> told = new ArrayList<>(changes.size());
        for (Change change : changes) {
            Row row = change.row() == null ? null : put.get(change.version());
            told.add(
                    row == null
                            ? change.numbered(
                                    fresh.getOrDefault(change.sequence(), change.sequence()),
                                    fresh.getOrDefault(change.version(), change.version()))
                            : change.with(row));
        }
        return new WriteSet(by, renumbered, expired, told);
    }

    /**
     * Tests whether a row that was live when this was decided, and that is kept or replaced, has expired since. Others may have seen that, and must
     * not see it live again.
     *
     * @param time the time of the commit
     * @return whether there is one
     */
    public boolean isOvertaken(long time) {
        for (RowChange change : rows) {
            Row before = change.before();
            if (before != null && change.after() != null && before.expiresAt() > by && before.expiresAt() <= time) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns when one of the rows expires first.
     *
     * @return a time before which none of them does, in milliseconds since the epoch; {@link Row#NEVER} if none expires
     */
    public long earliestExpiry() {
        long earliest = Row.NEVER;
        for (RowChange change : rows) {
            Row after = change.after();
            earliest = after == null ? earliest : Math.min(earliest, after.expiresAt());
        }
        return earliest;
    }

    /**
     * Returns what other processes need to know: all changes, and the rows that expire earlier than before.
     *
     * @return the changes, to be reported in their order
     */
    public List<Change> logged() {
        List<Change> logged = new ArrayList<>(changes.size());
        for (RowChange change : rows) {
            Row after = change.after();
            if (after != null && change.isShortened()) {
                logged.add(new Change(
                        Change.Kind.SHORTENED,
                        after.version(),
                        by,
                        after.key().group(),
                        after.key().key(),
                        after.version(),
                        after.expiresAt(),
                        0));
            }
        }
        logged.addAll(changes);
        return logged;
    }
}
