package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Loaded;
import dev.ttlstore.engine.LoggedChange;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.DeliveryLines;

import static java.util.Objects.requireNonNull;

/**
 * A commit that locks its slots before it decides. All that it loads comes in one round trip, and all that it writes goes with
 * the {@code COMMIT} in another. Used by one thread.
 */
final class Commit implements EngineTransaction, Runner {

    private static final String REMOVE_GROUP = "DELETE FROM @entry e WHERE e.slot = ? AND e.grp = ?";

    private static final String FORGET = """
            DELETE FROM @retained r
             USING (SELECT e.slot, e.expires_at, e.grp, e.key, e.version
                      FROM @retained e
                     WHERE e.slot = ? AND e.expires_at <= ? AND e.grp >= ? AND (?::text IS NULL OR e.grp < ?)
                     ORDER BY e.expires_at
                     LIMIT ?) f
             WHERE r.slot = f.slot AND r.expires_at = f.expires_at AND r.grp = f.grp AND r.key = f.key
               AND r.version = f.version
            """;

    private static final String LOG = """
            INSERT INTO @log (slot, seq, n, at, batch, due, deliveries, changes) VALUES (?, ?, 1, ?, ?, ?, ?, ?)
            """;

    private static final String USED = """
            INSERT INTO @log (slot, seq, n, at, batch, deliveries)
            SELECT h.slot, greatest(h.seq + h.n, ?), 1, h.at, ?, false
              FROM (SELECT l.slot, l.seq, l.n, l.at FROM @log l WHERE l.slot = ? ORDER BY l.seq DESC LIMIT 1) h
            """;

    private final Parts parts;
    private final Connections.Borrowed connection;
    private final UUID batch = UUID.randomUUID();
    private final TreeMap<Integer, Held> held = new TreeMap<>();
    private final UsageRows usage;
    private final Stores stores;
    private final LockedReads reads;
    private final Set<Integer> queued = new TreeSet<>();
    private Script pending;
    private final List<LogRow> news = new ArrayList<>();
    private boolean begun;
    private boolean writing;
    private long now = Long.MIN_VALUE;

    /** A slot that this commit has locked. */
    private static final class Held {
        private final Head head;
        private long next;
        private boolean changed;
        private long due = Row.NEVER;
        private boolean deliveries;
        private final List<LoggedChange> changes = new ArrayList<>();

        private Held(Head head) {
            this.head = head;
            this.next = head.next();
        }
    }

    Commit(Parts parts, Connections.Borrowed connection) {
        this.parts = parts;
        this.connection = connection;
        this.pending = parts.connections().script();
        this.usage = new UsageRows(this, parts.slots());
        this.stores = new Stores(parts.slots());
        this.reads = new LockedReads(
                new Reads(this, parts.slots()), groups -> hold(parts.slots().of(groups)));
    }

    @Override
    public Script script() {
        return parts.connections().script();
    }

    /** Runs a script in the transaction, after what was written before. */
    @Override
    public void run(Script script) {
        Script all = parts.connections().script();
        boolean first = !begun;
        if (first) {
            parts.limits().begin(all);
            begun = true;
            connection.inTransaction(true);
        }
        all.append(pending).append(script);
        pending = parts.connections().script();
        try {
            if (first) {
                connection.runFirst(all);
            } else {
                connection.run(all);
            }
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
    }

    /** Adds a write, which goes with the next script or with the commit. */
    Script writes() {
        writing = true;
        return pending;
    }

    Slots slots() {
        return parts.slots();
    }

    Stores stores() {
        return stores;
    }

    UsageRows usage() {
        return usage;
    }

    /** Locks slots, unless they are locked already. */
    void hold(Collection<Integer> slots) {
        Set<Integer> missing = missing(slots);
        if (!missing.isEmpty()) {
            Script script = script();
            List<Head> heads = lock(script, missing);
            run(script);
            held(missing, heads);
        }
    }

    /** Locks slots with the next script, before what is added later. */
    void holdNext(Collection<Integer> slots) {
        Set<Integer> missing = missing(slots);
        if (!missing.isEmpty()) {
            List<Head> heads = lock(pending, missing);
            queued.addAll(missing);
            Script unused = pending.then(() -> {
                queued.clear();
                held(missing, heads);
            });
        }
    }

    private Set<Integer> missing(Collection<Integer> slots) {
        Set<Integer> missing = new TreeSet<>(slots);
        missing.removeAll(held.keySet());
        missing.removeAll(queued);
        return missing;
    }

    private List<Head> lock(Script script, Set<Integer> missing) {
        missing.forEach(slot -> script.add(Head.LOCK, slot));
        List<Head> heads = new ArrayList<>();
        Set<Integer> unfollowed = new TreeSet<>();
        for (int slot : missing) {
            Following.Place place = parts.following().place(slot);
            if (place == null) {
                unfollowed.add(slot);
            } else {
                since(script, slot, place, heads);
            }
        }
        if (!unfollowed.isEmpty()) {
            script.query(Head.ALL, row -> heads.add(Head.of(row)), Columns.integers(unfollowed));
        }
        return heads;
    }

    private void since(Script script, int slot, Following.Place place, List<Head> heads) {
        List<Head> found = new ArrayList<>();
        List<LogRow> rows = new ArrayList<>();
        script.query(
                Head.SINCE,
                row -> {
                    if (found.isEmpty()) {
                        found.add(Head.of(row));
                    }
                    rows.add(LogRow.ofHead(row));
                },
                place.seq(),
                slot,
                place.seq());
        script.then(() -> {
            heads.addAll(found);
            Collections.reverse(rows);
            news.addAll(rows);
        });
    }

    private void held(Collection<Integer> slots, List<Head> heads) {
        Set<Integer> unknown = new TreeSet<>(slots);
        heads.forEach(head -> unknown.remove(head.slot()));
        if (!unknown.isEmpty()) {
            // The server has lost the commits that this node knows, as after a failover; the follower will tell.
            run(script().query(Head.ALL, row -> heads.add(Head.of(row)), Columns.integers(unknown)));
        }
        for (Head head : heads) {
            held.put(head.slot(), new Held(head));
            now = Math.max(now, parts.times().told(head.time()));
        }
    }

    private Held held(int slot) {
        if (queued.contains(slot)) {
            run(script());
        }
        Held found = held.get(slot);
        if (found == null) {
            hold(List.of(slot));
            found = requireNonNull(held.get(slot), "The log of a slot is empty");
        }
        return found;
    }

    /** Notes that rows of a slot change. */
    void changed(int slot) {
        held(slot).changed = true;
    }

    /** Notes that deliveries of a slot were recorded, or have become due. */
    void recorded(int slot) {
        Held found = held(slot);
        found.changed = true;
        found.deliveries = true;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Set<Integer> slots = new TreeSet<>();
        keys.forEach(key -> slots.add(slots().of(key.group())));
        namespaces.forEach(namespace -> slots.add(slots().of(Namespaces.prefix(namespace))));
        Set<Integer> missing = missing(slots);
        Script script = script();
        if (!namespaces.isEmpty()) {
            usage.flush(writes());
        }
        List<Head> heads = missing.isEmpty() ? List.of() : lock(script, missing);
        Map<RowKey, Row> rows = new HashMap<>();
        if (!keys.isEmpty()) {
            reads.unlocked().readAll(script, keys, rows);
        }
        Map<String, UsageRows.Found> found = usage.load(script, namespaces, keys);
        if (!script.isEmpty()) {
            run(script);
        }
        held(missing, heads);
        usage.countMissing(found.values());
        if (!found.isEmpty()) {
            writing = true; // the first count of a namespace is stored
        }
        Map<String, NamespaceUsage> result = new HashMap<>(found);
        return new Loaded(rows, result);
    }

    @Override
    public EngineReads reads() {
        return reads;
    }

    @Override
    public long now() {
        if (now == Long.MIN_VALUE) {
            List<Head> heads = new ArrayList<>();
            run(script().query(Head.ALL, row -> heads.add(Head.of(row)), Columns.integers(slots().all())));
            heads.forEach(head -> now = Math.max(now, parts.times().told(head.time())));
        }
        return now;
    }

    @Override
    public long nextSequence(String group) {
        int slot = slots().of(group);
        return slots().number(slot, held(slot).next++);
    }

    /** Returns numbers that are free for ids in a slot. */
    long nextId(int slot) {
        Held found = held(slot);
        found.changed = true;
        return slots().number(slot, found.next++);
    }

    @Override
    public void validate(EngineSnapshot snapshot) {
        if (snapshot instanceof LockedSnapshot) {
            return; // nobody else could write
        }
        if (!(snapshot instanceof Snapshot read)) {
            throw new IllegalArgumentException("'snapshot' must be one of this engine");
        }
        hold(read.slots());
        Set<RowKey> suspects = new TreeSet<>(RowKey.ORDER);
        for (int slot : read.slots()) {
            Head head = held(slot).head;
            Snapshot.Seen seen = read.seen(slot);
            if (seen.reserved() && head.seq() != seen.seq()) {
                throw new ConflictException("Another commit has taken a later number");
            }
            boolean unchanged = head.seq() == seen.seq() && !seen.slipped();
            if (!unchanged && seen.ranges()) {
                throw new ConflictException("Something has changed since a range was read");
            }
            if (!unchanged) {
                read.rows().keySet().stream()
                        .filter(key -> slots().of(key.group()) == slot)
                        .forEach(suspects::add);
            }
            held(slot).next = Math.max(held(slot).next, seen.next());
        }
        if (!suspects.isEmpty()) {
            Map<RowKey, Row> present = load(suspects, List.of()).rows();
            for (RowKey key : suspects) {
                requireSame(read.rows().get(key), present.get(key));
            }
        }
    }

    private static void requireSame(@Nullable Row before, @Nullable Row after) {
        boolean bothMissing = before == null && after == null;
        if (!bothMissing && !isSame(before, after)) {
            throw new ConflictException("A row has changed since it was read");
        }
    }

    private static boolean isSame(@Nullable Row before, @Nullable Row after) {
        return before != null
                && after != null
                && before.version() == after.version()
                && before.expiresAt() == after.expiresAt();
    }

    @Override
    public void store(Collection<RowChange> changes) {
        for (RowChange change : changes) {
            Row before = change.before();
            Row after = change.after();
            RowKey key = after != null ? after.key() : requireNonNull(before).key();
            Held slot = held(slots().of(key.group()));
            slot.changed = true;
            if (after != null) {
                slot.due = Math.min(slot.due, after.expiresAt());
            }
            usage.add(change);
        }
        stores.add(writes(), changes);
    }

    @Override
    public void log(List<LoggedChange> changes) {
        for (LoggedChange change : changes) {
            Held slot = held(slots().of(change.group()));
            slot.changed = true;
            slot.changes.add(change);
        }
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long until, PurgeBudget budget, List<GroupRange> retained) {
        return new Purge(this, parts, groups, until, budget, retained).run();
    }

    @Override
    public boolean expired(Collection<Row> rows, List<GroupRange> retained) {
        rows.forEach(row -> changed(slots().of(row.key().group())));
        List<Row> kept = rows.stream()
                .filter(row -> retained.stream()
                        .anyMatch(groups -> groups.contains(row.key().group())))
                .toList();
        stores.retain(writes(), kept);
        Deliveries table = new Deliveries(this);
        return new DeliveryLines(table).record(new DeliveryQueries(this, slots()).subscribers(), rows);
    }

    @Override
    public DeliveryWrites deliveries() {
        return new DeliveryLines(new Deliveries(this));
    }

    @Override
    public long removeGroup(String group) {
        int slot = slots().of(group);
        changed(slot);
        List<Long> removed = new ArrayList<>();
        Script script = writes().count(REMOVE_GROUP, removed::add, slot, group);
        usage.clear(script, group);
        run(script());
        return removed.get(0);
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        int forgotten = 0;
        Object to = Script.orNull(groups.to());
        for (int slot : slots().of(groups)) {
            if (forgotten < limit) {
                List<Long> removed = new ArrayList<>();
                Script unused =
                        writes().count(FORGET, removed::add, slot, until, groups.from(), to, to, limit - forgotten);
                run(script());
                forgotten += removed.get(0).intValue();
            }
        }
        return forgotten;
    }

    /** What a commit is about to send: its id, and the slots that remember it. */
    record Sent(UUID batch, List<LogRow> rows) {}

    /** Adds the log rows of the commit to what is to be sent; returns null if it has written nothing. */
    @Nullable
    Sent prepare() {
        if (!queued.isEmpty()) {
            run(script());
        }
        List<LogRow> rows = new ArrayList<>();
        usage.flush(pending);
        if (writing && held.values().stream().noneMatch(found -> found.changed)) {
            // Every commit that writes is in the log, or nobody could tell whether it was made.
            held(held.isEmpty() ? 0 : held.firstKey()).changed = true;
        }
        held.forEach((slot, found) -> {
            if (found.changed) {
                long seq = found.next == found.head.next() ? found.next : found.next - 1;
                byte[] changes = found.changes.isEmpty() ? null : ChangeCodec.encode(sorted(found.changes));
                rows.add(new LogRow(slot, seq, batch, found.due, found.deliveries, changes));
                pending.add(
                        LOG,
                        slot,
                        seq,
                        Math.max(now, found.head.at()),
                        batch,
                        Script.orNull(Columns.time(found.due)),
                        found.deliveries,
                        Script.orNull(changes));
            }
        });
        return rows.isEmpty() ? null : new Sent(batch, rows);
    }

    private static List<LoggedChange> sorted(List<LoggedChange> changes) {
        return changes.stream()
                .sorted(Comparator.comparingLong(LoggedChange::sequence))
                .toList();
    }

    /** Sends what is left, with the commit. */
    void send() throws SQLException {
        Script all = parts.connections().script();
        if (!begun) {
            parts.limits().begin(all);
            begun = true;
            connection.inTransaction(true);
        }
        connection.run(all.append(pending).add("COMMIT"));
        connection.inTransaction(false);
    }

    /** Logs the numbers that a transaction has handed out before it was rolled back, because it may have shown them. */
    void logNumbers() {
        List<Integer> used = new ArrayList<>();
        held.forEach((slot, found) -> {
            if (found.next != found.head.next()) {
                used.add(slot);
            }
        });
        if (!used.isEmpty()) {
            Script script = parts.limits().begin(script());
            used.forEach(slot -> script.add(Head.LOCK, slot));
            used.forEach(slot -> script.add(USED, held(slot).next - 1, batch, slot));
            parts.connections().run(script.add("COMMIT"));
        }
    }

    /** Returns the commits of others that this one has found in the log of its slots. */
    List<LogRow> news() {
        return news;
    }
}
