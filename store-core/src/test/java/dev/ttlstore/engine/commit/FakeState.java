package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.FakeDeliveryTable;

/**
 * The data of a fake database at one moment.
 *
 * @param version how many commits there were
 * @param rows the rows
 * @param retained the retained rows
 * @param changed the version of the last change in each namespace
 * @param deliveries the subscribers and their deliveries
 */
record FakeState(
        long version,
        Map<RowKey, Row> rows,
        List<Row> retained,
        Map<String, Long> changed,
        FakeDeliveryTable deliveries) {

    static FakeState empty() {
        return new FakeState(
                0, new ConcurrentHashMap<>(), new ArrayList<>(), new ConcurrentHashMap<>(), new FakeDeliveryTable());
    }

    /** Returns a copy to be changed by the next commit. */
    FakeState next() {
        return new FakeState(
                version + 1,
                new ConcurrentHashMap<>(rows),
                new ArrayList<>(retained),
                new ConcurrentHashMap<>(changed),
                deliveries.copy());
    }

    /** Returns the same data under the next version, for a test that changes them beside all transactions. */
    FakeState inPlace() {
        return new FakeState(version + 1, rows, retained, changed, deliveries);
    }

    long lastChange(String namespace) {
        return changed.getOrDefault(namespace, 0L);
    }

    void apply(Collection<RowChange> changes) {
        for (RowChange change : changes) {
            Row before = change.before();
            Row after = change.after();
            if (after != null) {
                rows.put(after.key(), after);
                touch(after.key().group());
            } else if (before != null) {
                rows.remove(before.key());
                touch(before.key().group());
            }
        }
    }

    /** Notes a change of a group. */
    void touch(String group) {
        String namespace = Namespaces.of(group);
        if (namespace != null) {
            changed.put(namespace, version);
        }
    }
}
