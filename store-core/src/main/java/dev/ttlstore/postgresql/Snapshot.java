package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * The data of one moment, for a transaction that locks nothing while it runs. It remembers what it has read, and the commit
 * checks that nothing of it has changed. Used by one thread.
 */
final class Snapshot implements EngineSnapshot, QueryRunner {

    /** The transaction in which a snapshot reads: one of the store, or one of the application. Used by one thread. */
    interface EnclosingTransaction {

        /** Returns its connection, which is given back with the snapshot. */
        Connections.Borrowed connection();

        /** Adds what comes before the first read. */
        Script begin(Script script);

        /** Translates what went wrong in a read. */
        RuntimeException translate(SQLException e);

        /** Makes a time final in a slot, because the caller learns that something has expired by it. */
        void settle(ReadSet.SeenSlot slot, long time);

        /** Tests whether it sees what was committed since it has begun. */
        boolean seesLaterCommits();

        /** Returns a number for a write; a negative one is provisional. */
        long nextNumber(ReadSet.SeenSlot slot);
    }

    private final NodeContext node;
    private final EnclosingTransaction transaction;
    private final Connections.Borrowed connection;
    private final RowQueries reads;
    private final UsageRows usage;
    private final ReadSet readSet;
    private long now = Long.MIN_VALUE;

    /**
     * Takes a snapshot.
     *
     * @param node what all commits share
     * @param transaction the transaction in which it reads
     */
    Snapshot(NodeContext node, EnclosingTransaction transaction) {
        this.node = node;
        this.transaction = transaction;
        this.connection = transaction.connection();
        this.reads = new RowQueries(this, node.slots(), this::range);
        this.usage = new UsageRows(this, node.slots());
        this.readSet = new ReadSet(node.slots());
        try {
            begin();
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    private void begin() {
        Script script = LogHead.query(transaction.begin(script()), node.slots().all(), head -> {
            readSet.begin(head);
            now = Math.max(now, node.clock().told(head.time()));
        });
        try {
            connection.runFirst(script);
        } catch (SQLException e) {
            throw transaction.translate(e);
        }
    }

    @Override
    public Script script() {
        return node.connections().script();
    }

    @Override
    public void run(Script script) {
        try {
            connection.run(script);
        } catch (SQLException e) {
            throw transaction.translate(e);
        }
    }

    /** Notes that a range of some groups is about to be read, and that what has expired in their slots stays so. */
    private void range(GroupRange groups) {
        Map<Integer, Long> unsettled = new TreeMap<>();
        for (int slot : node.slots().of(groups)) {
            ReadSet.SeenSlot seen = readSet.touch(slot);
            if (seen.readRange(groups) && seen.at() < now) {
                unsettled.put(slot, seen.at());
            }
        }
        if (!unsettled.isEmpty()) {
            FinalTimes.unsettled(this, unsettled, now).forEach(this::settle);
        }
    }

    private void settle(int slot) {
        transaction.settle(readSet.touch(slot), now);
    }

    /** Returns what was read, as far as somebody else may have changed it since. */
    ReadSet readSet() {
        return readSet;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Map<RowKey, Row> found = new HashMap<>();
        Script script = script();
        if (!keys.isEmpty()) {
            Script unused = reads.readAll(script, keys, found);
        }
        Map<String, UsageRows.Found> counted = usage.load(script, namespaces, keys);
        if (!script.isEmpty()) {
            run(script);
        }
        settle(keys, found);
        keys.forEach(key -> readSet.add(key, found.get(key)));
        Map<String, NamespaceUsage> loaded = new HashMap<>();
        counted.forEach((namespace, rows) -> {
            readSet.add(rows);
            loaded.put(
                    namespace,
                    rows.isCounted() ? rows.usage() : NamespaceUsage.of(reads.usage(Namespaces.groups(namespace))));
        });
        return new Loaded(found, loaded);
    }

    /** Makes sure that what has expired among some rows stays so. */
    private void settle(Collection<RowKey> keys, Map<RowKey, Row> found) {
        Set<Integer> unsettled = new TreeSet<>();
        found.forEach((key, row) -> {
            int slot = node.slots().of(key.group());
            if (!row.isLiveAt(now) && row.isLiveAt(readSet.touch(slot).at())) {
                unsettled.add(slot);
            }
        });
        unsettled.forEach(this::settle);
        if (transaction.seesLaterCommits() && !unsettled.isEmpty()) {
            found.clear(); // a commit that was under way may have renewed them
            run(reads.readAll(script(), keys, found));
        }
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public long nextSequence(String group) {
        return transaction.nextNumber(readSet.touch(node.slots().of(group)));
    }

    @Override
    public void close() {
        connection.close();
    }
}
