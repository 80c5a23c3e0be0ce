package dev.ttlstore.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiredRow;
import dev.ttlstore.engine.Mark;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;

/** Rows in a map. */
final class FakeTransaction implements EngineTransaction {

    private final Map<RowKey, Row> rows;
    private final List<RowChange> stored = new ArrayList<>();
    private Mark mark;

    FakeTransaction(Map<RowKey, Row> rows, Mark mark) {
        this.rows = new HashMap<>(rows);
        this.mark = mark;
    }

    Map<RowKey, Row> rows() {
        return rows;
    }

    /** What was passed to {@link #store}. */
    List<RowChange> stored() {
        return stored;
    }

    Mark mark() {
        return mark;
    }

    @Override
    public Map<RowKey, Row> load(Collection<RowKey> keys) {
        Map<RowKey, Row> found = new HashMap<>(rows);
        found.keySet().retainAll(List.copyOf(keys));
        return found;
    }

    @Override
    public void store(Collection<RowChange> changes) {
        for (RowChange change : changes) {
            stored.add(change);
            Row before = change.before();
            Row after = change.after();
            if (after != null) {
                rows.put(after.key(), after);
            } else if (before != null) {
                rows.remove(before.key());
            }
        }
    }

    @Override
    public List<ExpiredRow> removeExpired(long now, int limit) {
        return removeExpired(row -> true, now, limit);
    }

    @Override
    public List<ExpiredRow> removeExpired(String group, long now) {
        return removeExpired(row -> row.key().group().equals(group), now, Integer.MAX_VALUE);
    }

    private List<ExpiredRow> removeExpired(Predicate<Row> wanted, long now, int limit) {
        List<ExpiredRow> expired = rows.values().stream()
                .filter(wanted.and(row -> !row.isLiveAt(now)))
                .sorted(Comparator.comparingLong(Row::expiresAt))
                .limit(limit)
                .map(row -> new ExpiredRow(row.key(), row.version(), row.expiresAt()))
                .toList();
        expired.forEach(row -> rows.remove(row.key()));
        return expired;
    }

    @Override
    public long removeGroup(String group) {
        long before = rows.size();
        rows.keySet().removeIf(key -> key.group().equals(group));
        return before - rows.size();
    }

    @Override
    public void save(Mark newMark) {
        this.mark = newMark;
    }
}
