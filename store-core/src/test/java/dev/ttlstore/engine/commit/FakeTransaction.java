package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.tree.TreeState;

/** A commit of a fake database. */
public final class FakeTransaction extends FakeView {

    private final List<FakeView> views = new ArrayList<>(List.of(this));
    private WriteSet written = new WriteSet(0, List.of(), List.of(), List.of());
    private boolean recorded;
    private int listed;

    public FakeTransaction(FakeDatabase database) {
        this(database, database.state());
    }

    FakeTransaction(FakeDatabase database, TreeState base) {
        super(database, base, base.copy());
    }

    /** The rows, with what this transaction has changed. */
    public Map<RowKey, Row> rows() {
        return state().rows();
    }

    public List<Row> retained() {
        return state().retained();
    }

    /** The changed rows that were passed to {@link #store}. */
    public List<RowChange> stored() {
        return written.rows();
    }

    WriteSet written() {
        return written;
    }

    boolean hasRecorded() {
        return recorded;
    }

    /** How many rows a purge has listed, and not just counted. */
    public int listed() {
        return listed;
    }

    /** Throws if a view that the decision comes from is no longer true. */
    void requireUnchanged(TreeState now, Map<String, Long> taken) {
        views.forEach(view -> view.require(now, taken));
    }

    /** The data after this commit. */
    TreeState result(TreeState now) {
        return now == base ? state() : now.copy().change(written.rows());
    }

    @Override
    public Set<String> validate(EngineSnapshot snapshot) {
        views.add((FakeView) snapshot);
        return Set.of();
    }

    @Override
    public boolean store(WriteSet writes, List<GroupRange> retained) {
        written = writes;
        if (!writes.expired().isEmpty()) {
            dependOnAll();
        }
        boolean anybody = super.store(writes, retained);
        recorded |= anybody;
        return anybody;
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long now, PurgeBudget budget, List<GroupRange> retained) {
        PurgeResult result = super.removeExpired(groups, now, budget, retained);
        recorded |= result.recorded();
        if (budget.listed()) {
            listed += result.removed().size();
            return result;
        }
        return new PurgeResult(result.count(), List.of(), result.more(), result.recorded());
    }
}
