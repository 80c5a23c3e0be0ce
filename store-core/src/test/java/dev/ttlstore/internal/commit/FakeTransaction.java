package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeOptions;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreState;

/** Rows in a map. */
public final class FakeTransaction implements EngineTransaction {

    private int purgeStep = 64;
    private final Map<RowKey, Row> rows;
    private final List<Row> retained;
    private final EngineReads reads;
    private final List<RowChange> stored = new ArrayList<>();
    private StoreState state;

    FakeTransaction(Map<RowKey, Row> rows, StoreState state) {
        this(rows, List.of(), state, Integer.MAX_VALUE);
    }

    FakeTransaction(Map<RowKey, Row> rows, List<Row> retained, StoreState state, int pageRows) {
        this.rows = new HashMap<>(rows);
        this.retained = new ArrayList<>(retained);
        this.reads = new FakeReads(this.rows, this.retained, pageRows);
        this.state = state;
    }

    Map<RowKey, Row> rows() {
        return rows;
    }

    List<Row> retained() {
        return retained;
    }

    /** What was passed to {@link #store}. */
    List<RowChange> stored() {
        return stored;
    }

    StoreState state() {
        return state;
    }

    @Override
    public EngineReads reads() {
        return reads;
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
    public PurgeResult removeExpired(GroupRange groups, long now, PurgeBudget budget, PurgeOptions keep) {
        List<ExpiryRow> gone = new ArrayList<>();
        boolean more;
        do {
            int step = Math.min(purgeStep, budget.rows() - gone.size());
            more = removeSome(groups, now, step, keep, gone);
        } while (more && gone.size() < budget.rows() && budget.goOn().getAsBoolean());
        return new PurgeResult(gone, more);
    }

    private boolean removeSome(GroupRange groups, long now, int step, PurgeOptions keep, List<ExpiryRow> gone) {
        List<ExpiryRow> expired =
                reads.expiries(ExpiryScan.expired(groups, now, step)).next();
        for (ExpiryRow row : expired) {
            Row removed = rows.remove(row.key());
            if (keep.retained() && removed != null) {
                retained.add(removed);
            }
        }
        gone.addAll(expired);
        return expired.size() == step;
    }

    void purgeStep(int rowsPerStep) {
        purgeStep = rowsPerStep;
    }

    @Override
    public DeliveryWrites deliveries() {
        return FakeDeliveries.writes();
    }

    @Override
    public long removeGroup(String group) {
        long before = rows.size();
        rows.keySet().removeIf(key -> key.group().equals(group));
        return before - rows.size();
    }

    @Override
    public void retain(Collection<Row> kept) {
        retained.addAll(kept);
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        List<Row> old = retained.stream()
                .filter(row ->
                        row.expiresAt() <= until && groups.contains(row.key().group()))
                .limit(limit)
                .toList();
        retained.removeAll(old);
        return old.size();
    }

    @Override
    public void save(StoreState newState) {
        this.state = newState;
    }
}
