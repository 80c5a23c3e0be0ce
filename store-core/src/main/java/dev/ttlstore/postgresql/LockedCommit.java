package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.WriteSet;
import dev.ttlstore.engine.commit.RowCommit;
import dev.ttlstore.engine.support.DeliveryLines;
import dev.ttlstore.engine.support.DeliveryTable;
import dev.ttlstore.postgresql.LogRow.OwnCommit;

/**
 * A commit that locks its slots before it decides. All that it loads comes in one round trip, and all that it writes goes with
 * the {@code COMMIT} in another. Used by one thread.
 */
sealed class LockedCommit implements RowCommit permits LockedSnapshot {

    private static final String REMOVE_GROUP = "DELETE FROM @entry e WHERE e.slot = ? AND e.grp = ?::text";

    /** By place, because of two indexes that have the key the server may choose the one with which it reads whole groups. */
    private static final String FORGET = """
            DELETE FROM @retained r
             USING (SELECT e.slot, e.tableoid AS part, e.ctid AS place
                      FROM @retained e
                     WHERE e.slot = ? AND e.expires_at <= ? AND e.grp >= ?::text AND (?::text IS NULL OR e.grp < ?::text)
                     ORDER BY e.expires_at
                     LIMIT ?) f
             WHERE r.slot = ? AND r.slot = f.slot AND r.tableoid = f.part AND r.ctid = f.place
            """;

    private static final String MEND_RETAINED = """
            UPDATE @retained r
               SET expires_at = ?, updated_at = least(r.updated_at, ?), created_at = least(r.created_at, ?)
              FROM (SELECT e.slot, e.expires_at, e.grp, e.key, e.version
                      FROM @retained e
                     WHERE e.slot = ? AND e.expires_at > ?
                     LIMIT ?) f
             WHERE r.slot = ? AND r.slot = f.slot AND r.expires_at = f.expires_at AND r.grp = f.grp AND r.key = f.key
               AND r.version = f.version
            """;

    private final NodeContext node;
    private final LockedTransaction transaction;
    private final Slots slots;
    private final UsageRows usage;
    private final RowStatements rowStatements;
    private final RowQueries reads;
    private long loadLimit = Long.MAX_VALUE;

    /**
     * Begins a commit.
     *
     * @param node what all commits share
     * @param transaction the transaction, which holds what was locked for it before
     */
    LockedCommit(NodeContext node, LockedTransaction transaction) {
        this.node = node;
        this.transaction = transaction;
        this.slots = node.slots();
        this.usage = new UsageRows(transaction, slots);
        this.rowStatements = new RowStatements(slots);
        this.reads = new RowQueries(transaction, slots, groups -> transaction.hold(slots.of(groups)));
    }

    LockedTransaction transaction() {
        return transaction;
    }

    @Override
    public void limitLoad(long bytes) {
        loadLimit = bytes;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Set<Integer> needed = new TreeSet<>();
        keys.forEach(key -> needed.add(slots.of(key.group())));
        namespaces.forEach(namespace -> needed.add(slots.of(Namespaces.prefix(namespace))));
        transaction.askForTime(keys.size(), 0);
        Script script = transaction.script();
        if (!namespaces.isEmpty()) {
            flushUsage();
        }
        LockedTransaction.Locking locking = transaction.lock(script, needed);
        Map<RowKey, Row> rows = new HashMap<>();
        RowQueries.Sized sized = null;
        if (keys.size() > 1 && loadLimit < Long.MAX_VALUE) {
            sized = reads.readSmall(script, keys, rows);
        } else if (!keys.isEmpty()) {
            Script unused = reads.readAll(script, keys, rows);
        }
        Map<String, UsageRows.Found> found = usage.load(script, namespaces, keys);
        if (!script.isEmpty()) {
            transaction.run(script);
        }
        locking.end();
        List<RowKey> large = sized == null ? List.of() : sized.large(loadLimit);
        if (!large.isEmpty()) {
            transaction.run(reads.readAll(transaction.script(), large, rows));
        }
        Script counting = usage.countMissing(transaction.script(), found.values());
        if (!counting.isEmpty()) {
            transaction.writeLong(counting);
        }
        Map<String, NamespaceUsage> loaded = new HashMap<>();
        found.forEach((namespace, rowsOfUsage) -> loaded.put(namespace, rowsOfUsage.usage()));
        return new Loaded(rows, loaded);
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public long now() {
        return transaction.now();
    }

    @Override
    public long nextSequence(String group) {
        return transaction.nextNumber(slots.of(group));
    }

    @Override
    public Set<String> validate(EngineSnapshot snapshot) {
        if (snapshot == this) {
            return Set.of(); // it holds all slots, so nobody else could write
        }
        if (!(snapshot instanceof Snapshot seen)) {
            throw new IllegalArgumentException("'snapshot' must be one of this engine");
        }
        ReadSet read = seen.readSet();
        transaction.askForTime(read.size(), 0);
        transaction.hold(read.slots());
        ReadSet.Doubts doubts = new ReadSet.Doubts();
        for (ReadSet.SeenSlot slot : read.seen()) {
            LockedSlot locked = transaction.locked(slot.slot());
            read.compare(slot, locked.head(), doubts);
            locked.startFrom(slot.next());
        }
        return doubts.isEmpty() ? Set.of() : read.changed(doubts, load(doubts.keys(), doubts.namespaces()));
    }

    @Override
    public boolean store(WriteSet writes, List<GroupRange> retained) {
        if (!writes.rows().isEmpty()) {
            store(writes.rows());
        }
        boolean recorded = !writes.expired().isEmpty() && expired(writes.expired(), retained);
        writes.logged()
                .forEach(change -> transaction.locked(slots.of(change.group())).log(change));
        return recorded;
    }

    /** Stores rows. */
    void store(Collection<RowChange> changes) {
        transaction.askForTimeNow(changes.size(), bytes(changes));
        for (RowChange change : changes) {
            Row after = change.after();
            LockedSlot slot = transaction.locked(slots.of(change.key().group()));
            slot.change();
            if (after != null) {
                slot.dueAt(after.expiresAt());
            }
            usage.add(change);
        }
        rowStatements.add(transaction.writes(), changes);
    }

    /** Returns how many bytes of values some changes write. */
    static long bytes(Collection<RowChange> changes) {
        long bytes = 0;
        for (RowChange change : changes) {
            Row after = change.after();
            bytes += after == null ? 0 : after.value().length;
        }
        return bytes;
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long until, PurgeBudget budget, List<GroupRange> retained) {
        return new SlotPurge(transaction, usage, node.backlog(), groups, until, budget, retained).run();
    }

    private boolean expired(Collection<Row> rows, List<GroupRange> retained) {
        rows.forEach(row -> transaction.changed(slots.of(row.key().group())));
        List<Row> kept = rows.stream()
                .filter(row -> retained.stream()
                        .anyMatch(groups -> groups.contains(row.key().group())))
                .toList();
        retain(kept);
        DeliveryStatements table = new DeliveryStatements(transaction);
        return new DeliveryLines(table).record(SlotDeliveries.subscribers(transaction), rows);
    }

    /** Retains rows. */
    void retain(Collection<Row> rows) {
        rowStatements.retain(transaction.writes(), rows);
    }

    @Override
    public DeliveryTable deliveries() {
        return new DeliveryStatements(transaction);
    }

    @Override
    public long removeGroup(String group) {
        int slot = slots.of(group);
        transaction.changed(slot);
        List<Long> removed = new ArrayList<>();
        Script script = transaction.script().count(REMOVE_GROUP, removed::add, slot, group);
        usage.clear(script, group);
        transaction.writeLong(script);
        return removed.get(0);
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        int forgotten = 0;
        for (int slot : slots.of(groups)) {
            if (forgotten < limit) {
                forgotten += transaction.change(FORGET, slot, until, groups, limit - forgotten, slot);
            }
        }
        return forgotten;
    }

    @Override
    public int mendRetained(long after, long to, int limit) {
        int mended = 0;
        for (int slot : slots.all()) {
            if (mended < limit) {
                mended += transaction.change(MEND_RETAINED, to, to, to, slot, after, limit - mended, slot);
            }
        }
        return mended;
    }

    /** Prepares what is to be sent. */
    OwnCommit prepare() {
        flushUsage();
        return transaction.log();
    }

    /** Adds what was counted so far. */
    private void flushUsage() {
        if (usage.isChanged()) {
            usage.flush(transaction.writes());
        }
    }
}
