package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.Loaded;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * The data of one moment, for a transaction that locks nothing while it runs. It remembers what it has read, and the commit
 * checks that nothing of it has changed. Numbers that it hands out are set aside in the log first, in a commit of their own,
 * because the transaction may show them and then fail. Used by one thread.
 */
final class Snapshot implements EngineSnapshot, Runner {

    private static final String BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    /** What is done with the snapshot may take its time; it locks nothing. */
    private static final String NO_LIMIT = "SELECT set_config('idle_in_transaction_session_timeout', '0', true)";

    /** Each server of a distributed database has a snapshot of its own, and only one. */
    private static final String ONE_CONNECTION = "SET LOCAL citus.max_adaptive_executor_pool_size TO 1";

    private static final String RESERVE = """
            INSERT INTO @log (slot, seq, n, at, batch, deliveries)
            SELECT h.slot, greatest(h.seq + h.n, {micros}), ?, greatest(h.at, {now}), ?, false
              FROM %s h
            RETURNING seq
            """.formatted(Head.NEWEST);

    /** How many numbers are set aside at once, at first. */
    private static final long FIRST_BLOCK = 1_000;

    private final NodeParts parts;
    private final FinalTimes finalTimes;
    private final Runnable conflicted;
    private final Connections.Borrowed connection;
    private final LockedReads reads;
    private final UsageRows usage;
    private final List<UsageRows.Found> usages = new ArrayList<>();
    private final Map<Integer, Seen> heads = new TreeMap<>();
    private final Set<Integer> touched = new TreeSet<>();
    private final Map<RowKey, @Nullable Row> rows = new HashMap<>();
    private final long begun = System.nanoTime();
    private long now = Long.MIN_VALUE;

    /** The transaction of the application in which this reads; null if it has one of its own. */
    private final @Nullable Join join;

    /** What the snapshot knows of a slot, and has handed out there. */
    static final class Seen {
        private final long at;
        private long seq;
        private @Nullable GroupRange range;
        private boolean slipped;
        private boolean reserved;
        private long next;
        private long end;

        private Seen(Head head) {
            this.seq = head.seq();
            this.at = head.at();
        }

        /** Takes note of a commit that this transaction has added to the log, and that changes nothing. */
        private void moved(FinalTimes.Looked looked) {
            if (!reserved && looked.before() == seq) {
                seq = looked.seq();
            }
        }

        /** The head that the slot must still have, unless only single rows were read. */
        long seq() {
            return seq;
        }

        /** The first groups of which more than single rows were read; null if there are none. */
        @Nullable
        GroupRange range() {
            return range;
        }

        /** Whether another commit came between the snapshot and the numbers that were set aside. */
        boolean slipped() {
            return slipped;
        }

        /** Whether numbers were set aside. */
        boolean reserved() {
            return reserved;
        }

        /** The first number that was not handed out. */
        long next() {
            return next;
        }
    }

    /**
     * Takes a snapshot.
     *
     * @param parts what all commits share
     * @param finalTimes makes times final
     * @param conflicted called before this snapshot reports a conflict, so that the next run holds locks
     */
    Snapshot(NodeParts parts, FinalTimes finalTimes, Runnable conflicted) {
        this(parts, finalTimes, conflicted, parts.connections().borrow(), null);
    }

    /** Reads in a transaction of the application, which each time sees what was committed before. */
    Snapshot(NodeParts parts, FinalTimes finalTimes, Join join) {
        this(parts, finalTimes, () -> {}, join.connection(), join);
    }

    private Snapshot(
            NodeParts parts,
            FinalTimes finalTimes,
            Runnable conflicted,
            Connections.Borrowed connection,
            @Nullable Join join) {
        this.parts = parts;
        this.finalTimes = finalTimes;
        this.conflicted = conflicted;
        this.connection = connection;
        this.join = join;
        this.reads = new LockedReads(new Reads(this, parts.slots()), this::range);
        this.usage = new UsageRows(this, parts.slots());
        try {
            begin();
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    private void begin() {
        Script script = join == null ? begin(connection, script()) : join.check(script());
        Script unused = Head.query(script, parts.slots().all(), head -> {
            heads.put(head.slot(), new Seen(head));
            now = Math.max(now, parts.times().told(head.time()));
        });
        try {
            connection.runFirst(script);
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    /** Begins a transaction that only reads, all as of one moment. */
    static Script begin(Connections.Borrowed connection, Script script) {
        connection.inTransaction(true);
        script.add(BEGIN).add(NO_LIMIT);
        return script.isDistributed() ? script.add(ONE_CONNECTION) : script;
    }

    @Override
    public Script script() {
        return parts.connections().script();
    }

    @Override
    public void run(Script script) {
        try {
            connection.run(script);
        } catch (SQLException e) {
            throw translate(e);
        }
    }

    /** A conflict ends a transaction of the application; one of the store runs again. */
    private RuntimeException translate(SQLException e) {
        return join == null ? Errors.translate(e) : Join.translate(e);
    }

    /** The slots that the transaction depends on. */
    Set<Integer> slots() {
        return touched;
    }

    Seen seen(int slot) {
        touched.add(slot);
        return Head.required(slot, heads.get(slot));
    }

    /** Notes that a range of some groups is about to be read, and that what has expired in their slots stays so. */
    private void range(GroupRange groups) {
        Map<Integer, Long> unsettled = new TreeMap<>();
        for (int slot : parts.slots().of(groups)) {
            Seen seen = seen(slot);
            if (seen.range == null) {
                seen.range = groups;
                if (seen.at < now) {
                    unsettled.put(slot, seen.at);
                }
            }
        }
        if (!unsettled.isEmpty()) {
            FinalTimes.unsettled(this, unsettled, now).forEach(this::look);
        }
    }

    /** Makes the time of the snapshot final in a slot, because the caller learns that something has expired by it. */
    private void look(int slot) {
        if (join != null) {
            join.settle(slot, now);
            return;
        }
        FinalTimes.Looked looked = finalTimes.look(slot, now, begun);
        if (looked != null) {
            seen(slot).moved(looked);
        }
    }

    /** The rows that were read, or null for each that is missing. */
    Map<RowKey, @Nullable Row> rows() {
        return rows;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Map<RowKey, Row> found = new HashMap<>();
        Script script = script();
        if (!keys.isEmpty()) {
            Script unused = reads.unlocked().readAll(script, keys, found);
        }
        Map<String, UsageRows.Found> counted = usage.load(script, namespaces, keys);
        if (!script.isEmpty()) {
            run(script);
        }
        settle(keys, found);
        for (RowKey key : keys) {
            Seen unused = seen(parts.slots().of(key.group()));
            rows.putIfAbsent(key, found.get(key));
        }
        Map<String, NamespaceUsage> loaded = new HashMap<>();
        counted.forEach((namespace, rows) -> {
            Seen unused = seen(parts.slots().of(Namespaces.prefix(namespace)));
            usages.add(rows);
            loaded.put(
                    namespace,
                    rows.isCounted() ? rows : Counted.of(reads.unlocked().usage(Namespaces.groups(namespace))));
        });
        return new Loaded(found, loaded);
    }

    /** Makes sure that what has expired among some rows stays so. */
    private void settle(Collection<RowKey> keys, Map<RowKey, Row> found) {
        Set<Integer> unsettled = new TreeSet<>();
        found.forEach((key, row) -> {
            int slot = parts.slots().of(key.group());
            if (!row.isLiveAt(now) && row.isLiveAt(seen(slot).at)) {
                unsettled.add(slot);
            }
        });
        unsettled.forEach(this::look);
        if (join != null && !unsettled.isEmpty()) {
            found.clear(); // a commit that was under way may have renewed them
            run(reads.unlocked().readAll(script(), keys, found));
        }
    }

    /** The usage of namespaces that was read, also of those that are not counted yet. */
    List<UsageRows.Found> usages() {
        return usages;
    }

    /** The usage of a namespace that no commit has counted yet. */
    private record Counted(long keys, long groups, long bytes, Map<String, Long> rows) implements NamespaceUsage {

        private static Counted of(List<GroupUsage> all) {
            Map<String, Long> rows = new HashMap<>();
            long keys = 0;
            long bytes = 0;
            for (GroupUsage usage : all) {
                rows.put(usage.group(), usage.rows());
                keys += usage.rows();
                bytes += usage.bytes();
            }
            return new Counted(keys, all.size(), bytes, rows);
        }

        @Override
        public long rows(String group) {
            return rows.getOrDefault(group, 0L);
        }
    }

    @Override
    public EngineReads reads() {
        return reads;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public long nextSequence(String group) {
        int slot = parts.slots().of(group);
        Seen seen = seen(slot);
        if (join != null) {
            return join.provisionalNumber();
        }
        if (seen.next == seen.end) {
            reserve(slot, seen);
        }
        return parts.slots().number(slot, seen.next++);
    }

    private void reserve(int slot, Seen seen) {
        long block = seen.reserved ? (seen.end - seen.seq) * 10 : FIRST_BLOCK;
        List<Head> before = new ArrayList<>();
        List<Long> reserved = new ArrayList<>();
        Script script = Head.lock(parts.timeouts().begin(script()), slot);
        parts.connections()
                .run(Head.query(script, List.of(slot), before::add)
                        .query(RESERVE, row -> reserved.add(row.getLong(1)), block, UUID.randomUUID(), slot)
                        .add("COMMIT"));
        Head head = Head.required(slot, before.isEmpty() ? null : before.get(0));
        parts.timelines().requireSettled(head);
        boolean same = head.seq() == seen.seq;
        if (seen.reserved && !same) {
            conflicted.run();
            throw new ConflictException("Another commit has taken a later number");
        }
        seen.slipped |= !same;
        seen.reserved = true;
        seen.seq = reserved.get(0);
        seen.next = seen.seq;
        seen.end = seen.seq + block;
    }

    @Override
    public void close() {
        connection.close();
    }
}
