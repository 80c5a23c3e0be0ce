package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.support.DeliveryTable;

/** A commit of a fake database. */
public final class FakeTransaction extends FakeView implements RowCommit {

    private final List<RowChange> stored = new ArrayList<>();
    private final List<Change> logged = new ArrayList<>();
    private @Nullable FakeView validated;
    private int purgeStep = 64;
    private boolean recorded;

    public FakeTransaction(FakeDatabase database) {
        this(database, database.state());
    }

    private FakeTransaction(FakeDatabase database, FakeState base) {
        super(database, base, base.next());
    }

    /** The rows, with what this transaction has changed. */
    public Map<RowKey, Row> rows() {
        return state.rows();
    }

    public List<Row> retained() {
        return state.retained();
    }

    /** What was passed to {@link #store}. */
    public List<RowChange> stored() {
        return stored;
    }

    public List<Change> logged() {
        return logged;
    }

    public boolean hasRecorded() {
        return recorded;
    }

    @Override
    public long decidedAt() {
        return validated == null ? super.decidedAt() : validated.decidedAt();
    }

    @Override
    public Map<String, Long> numbers() {
        Map<String, Long> all = new HashMap<>(super.numbers());
        if (validated != null) {
            validated.numbers().forEach((group, number) -> all.merge(group, number, Math::min));
        }
        return all;
    }

    /** Throws if something that the decision depends on has changed. */
    public void requireUnchanged(FakeState now) {
        guard.require(now);
        if (validated != null) {
            validated.guard.require(now);
        }
    }

    /** The data after this commit. */
    public FakeState result(FakeState now) {
        if (now.version() == base.version()) {
            return state;
        }
        FakeState next = now.next();
        next.apply(stored);
        return next;
    }

    @Override
    public Set<String> validate(EngineSnapshot snapshot) {
        validated = (FakeView) snapshot;
        validated.guard.require(database.state());
        return Set.of();
    }

    @Override
    public boolean store(WriteSet writes, List<GroupRange> retained) {
        stored.addAll(writes.rows());
        logged.addAll(writes.logged());
        writes.rows().forEach(change -> state.touch(change.key().group()));
        if (!writes.expired().isEmpty()) {
            guard.ranges();
        }
        boolean anybody = tree().store(writes, retained);
        recorded |= anybody;
        return anybody;
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long now, PurgeBudget budget, List<GroupRange> retained) {
        guard.ranges();
        List<ExpiryRow> gone = new ArrayList<>();
        boolean more;
        do {
            int step = Math.min(purgeStep, budget.rows() - gone.size());
            PurgeResult some = tree().removeExpired(groups, now, new PurgeBudget(step, () -> false, true), retained);
            gone.addAll(some.removed());
            recorded |= some.recorded();
            more = some.more();
        } while (more && gone.size() < budget.rows() && budget.goOn().getAsBoolean());
        gone.forEach(row -> state.touch(row.key().group()));
        if (budget.listed()) {
            database.listed(gone.size());
            return new PurgeResult(gone, more, recorded);
        }
        return new PurgeResult(gone.size(), List.of(), more, recorded);
    }

    public void purgeStep(int rowsPerStep) {
        purgeStep = rowsPerStep;
    }

    @Override
    public DeliveryTable deliveries() {
        guard.ranges();
        return state.deliveries();
    }

    @Override
    public long removeGroup(String group) {
        guard.ranges();
        state.touch(group);
        return tree().removeGroup(group);
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        guard.ranges();
        return tree().forget(groups, until, limit);
    }

    @Override
    public int mendRetained(long after, long to, int limit) {
        guard.ranges();
        return tree().mendRetained(after, to, limit);
    }
}
