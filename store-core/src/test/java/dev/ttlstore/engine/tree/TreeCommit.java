package dev.ttlstore.engine.tree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.commit.RowCommit;
import dev.ttlstore.engine.support.DeliveryLines;
import dev.ttlstore.engine.support.DeliveryTable;

/** A commit, on a copy of the data; or a snapshot, on the data themselves, because nobody else writes meanwhile. */
public class TreeCommit implements RowCommit, EngineSnapshot {

    /** How many rows a purge removes before it looks whether another writer waits. */
    private static final int PURGE_STEP = 64;

    private final TreeReads reads;
    private final ToLongFunction<String> numbers;
    private final TreeState state;

    public TreeCommit(StoreClock clock, ToLongFunction<String> numbers, TreeState state) {
        this.reads = new TreeReads(() -> state, clock);
        this.numbers = numbers;
        this.state = state;
    }

    public TreeState state() {
        return state;
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Map<String, NamespaceUsage> usage = new HashMap<>();
        namespaces.forEach(name -> usage.put(name, NamespaceUsage.of(reads.usage(Namespaces.groups(name)))));
        return new Loaded(reads.get(keys, Reads.ALL), usage);
    }

    @Override
    public long now() {
        return reads.clock().now();
    }

    @Override
    public long nextSequence(String group) {
        return numbers.applyAsLong(group);
    }

    @Override
    public boolean store(WriteSet writes, List<GroupRange> retained) {
        state.change(writes.rows());
        return keep(writes.expired(), retained);
    }

    /** Retains expired rows where that is asked for, and records deliveries of them. */
    private boolean keep(List<Row> expired, List<GroupRange> retained) {
        for (Row row : expired) {
            if (retained.stream().anyMatch(groups -> groups.contains(row.key().group()))) {
                state.retained().add(row);
            }
        }
        return new DeliveryLines(state.deliveries()).record(state.deliveries().subscribers(), expired);
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long now, PurgeBudget budget, List<GroupRange> retained) {
        List<ExpiryRow> removed = new ArrayList<>();
        boolean recorded = false;
        int step;
        do {
            step = Math.min(PURGE_STEP, budget.rows() - removed.size());
            List<ExpiryRow> expired =
                    reads.expiring(ExpiryScan.expired(groups, now, step)).next();
            recorded |= keep(
                    expired.stream().map(row -> state.rows().remove(row.key())).toList(), retained);
            removed.addAll(expired);
            step -= expired.size();
        } while (step == 0 && removed.size() < budget.rows() && budget.goOn().getAsBoolean());
        return new PurgeResult(removed, step == 0, recorded);
    }

    @Override
    public DeliveryTable deliveries() {
        return state.deliveries();
    }

    @Override
    public long removeGroup(String group) {
        int before = state.rows().size();
        state.rows().keySet().removeIf(key -> key.group().equals(group));
        return before - state.rows().size();
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        return take(row -> row.expiresAt() <= until && groups.contains(row.key().group()), limit)
                .size();
    }

    @Override
    public int mendRetained(long after, long to, int limit) {
        List<Row> late = take(row -> row.expiresAt() > after, limit);
        late.forEach(row -> state.retained()
                .add(row.withUpdate(Math.min(row.updatedAt(), to)).withExpiry(to)));
        return late.size();
    }

    /** Removes some retained rows. */
    private List<Row> take(Predicate<Row> wanted, int limit) {
        List<Row> taken = state.retained().stream().filter(wanted).limit(limit).toList();
        state.retained().removeAll(taken);
        return taken;
    }

    @Override
    public void close() {}
}
