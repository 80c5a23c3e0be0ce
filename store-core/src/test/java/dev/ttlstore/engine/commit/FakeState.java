package dev.ttlstore.engine.commit;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.FakeDeliveryTable;
import dev.ttlstore.engine.tree.TreeState;

/**
 * The data of a fake database at one moment.
 *
 * @param version how many commits there were
 * @param data the rows and the deliveries
 * @param changed the version of the last change in each namespace
 */
record FakeState(long version, TreeState data, Map<String, Long> changed) {

    static FakeState empty() {
        return new FakeState(0, TreeState.empty(), new HashMap<>());
    }

    /** Returns a copy to be changed by the next commit. */
    FakeState next() {
        return new FakeState(version + 1, data.copy(), new HashMap<>(changed));
    }

    Map<RowKey, Row> rows() {
        return data.rows();
    }

    List<Row> retained() {
        return data.retained();
    }

    FakeDeliveryTable deliveries() {
        return data.deliveries();
    }

    long lastChange(String namespace) {
        return changed.getOrDefault(namespace, 0L);
    }

    void apply(Collection<RowChange> changes) {
        for (RowChange change : changes) {
            data.rows().compute(change.key(), (key, before) -> change.after());
            touch(change.key().group());
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
