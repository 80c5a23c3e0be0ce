package dev.ttlstore.engine.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import dev.ttlstore.engine.EngineStats;
import dev.ttlstore.engine.EngineStats.Sizes;
import dev.ttlstore.engine.EngineStats.Totals;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.FakeDeliveryTable;

/**
 * The data at one moment. A commit changes a copy, which then takes the place of the original, so a reader that has one sees one moment.
 *
 * @param rows the rows, live or expired
 * @param retained the rows that were kept when they were removed
 * @param deliveries the subscribers and their deliveries
 */
public record TreeState(TreeMap<RowKey, Row> rows, List<Row> retained, FakeDeliveryTable deliveries) {

    /** Returns a state without data. */
    public static TreeState empty() {
        return new TreeState(new TreeMap<>(RowKey.ORDER), new ArrayList<>(), new FakeDeliveryTable());
    }

    /** Returns a copy, to be changed by the next commit. */
    public TreeState copy() {
        return new TreeState(new TreeMap<>(rows), new ArrayList<>(retained), deliveries.copy());
    }

    /** Changes rows, and returns this state. */
    public TreeState change(List<RowChange> changes) {
        changes.forEach(change -> rows.compute(change.key(), (key, before) -> change.after())); // null removes
        return this;
    }

    /** Counts the rows at a time. */
    public EngineStats stats(long now) {
        long live = rows.values().stream().filter(row -> row.isLiveAt(now)).count();
        return new EngineStats(new Totals(live, rows.size() - live, retained.size()), Sizes.NONE, null);
    }
}
