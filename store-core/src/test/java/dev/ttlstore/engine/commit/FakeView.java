package dev.ttlstore.engine.commit;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.tree.TreeCommit;

/** A view of a fake database that remembers what it has read. */
public class FakeView implements EngineSnapshot {

    final FakeDatabase database;
    final FakeState base;
    final FakeState state;
    final FakeGuard guard;
    private final Map<String, Long> numbers = new HashMap<>();
    private final FakeReads reads;
    private long decidedAt = Long.MIN_VALUE;

    public FakeView(FakeDatabase database, FakeState base, FakeState state) {
        this.database = database;
        this.base = base;
        this.state = state;
        this.guard = new FakeGuard(base);
        this.reads = database.reads(state);
    }

    /** When the view was first asked for the time: the time by which everything was decided. */
    public long decidedAt() {
        return decidedAt;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Map<RowKey, Row> rows = reads.get(keys, Reads.ALL);
        keys.forEach(key -> guard.row(key, rows.get(key)));
        namespaces.forEach(guard::namespace);
        return new Loaded(rows, tree().load(List.of(), namespaces).usage());
    }

    /** Reads and writes the state, without a check of what changes meanwhile. */
    TreeCommit tree() {
        return new TreeCommit(database.clock(), new AtomicLong(), state.data());
    }

    @Override
    public Reads reads() {
        guard.ranges();
        return reads;
    }

    @Override
    public long now() {
        long now = database.clock().now();
        if (decidedAt == Long.MIN_VALUE) {
            decidedAt = now;
        }
        return now;
    }

    /** The lowest number that was handed out for each group. */
    public Map<String, Long> numbers() {
        return numbers;
    }

    @Override
    public long nextSequence(String group) {
        long number = database.nextSequence(group);
        numbers.merge(group, number, Math::min);
        return number;
    }

    @Override
    public void close() {}
}
