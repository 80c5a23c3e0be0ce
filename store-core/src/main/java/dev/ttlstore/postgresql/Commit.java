package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.DeliveryWrites;
import dev.ttlstore.engine.EngineReads;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.HighWater;
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

/**
 * A commit that locks its slots before it decides. All that it loads comes in one round trip, and all that it writes goes with
 * the {@code COMMIT} in another. It may be part of a transaction of the application, which then makes the commit. Used by one
 * thread.
 */
final class Commit implements EngineTransaction, Runner, Sending {

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

    /** Below this, the time for the rows of a commit makes no difference to the time that a node has anyway. */
    private static final Duration SHORT = Duration.ofMillis(100);

    private final NodeParts parts;
    private final Connections.Borrowed connection;
    private final UUID batch = UUID.randomUUID();
    private final HeldSlots held;
    private final UsageRows usage;
    private final RowStatements rowStatements;
    private final LockedReads reads;
    private Script pending;
    private final boolean joined;

    /** The settings of the transaction of the application. */
    private final List<String> replaced = new ArrayList<>();

    private long loadLimit = Long.MAX_VALUE;

    private boolean begun;
    private boolean writing;

    /** When the server's limit for a text was last set, as {@link System#nanoTime} tells it. */
    private long boundSince;

    /** What is set now, or will be with the next script. It grows with the rows. */
    private Timeouts timeouts;

    Commit(NodeParts parts, Connections.Borrowed connection) {
        this(parts, connection, false);
    }

    /**
     * Begins a commit.
     *
     * @param joined whether it is part of a transaction of the application, which neither begins nor ends with it
     */
    Commit(NodeParts parts, Connections.Borrowed connection, boolean joined) {
        this.parts = parts;
        this.joined = joined;
        this.connection = connection;
        this.pending = parts.connections().script();
        this.timeouts = parts.timeouts();
        this.held = new HeldSlots(parts, this);
        this.usage = new UsageRows(this, parts.slots());
        this.rowStatements = new RowStatements(parts.slots());
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
        begin(all);
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

    private void begin(Script all) {
        if (!begun) {
            Script unused = joined
                    ? parts.timeouts().join(all, replaced)
                    : parts.timeouts().begin(all);
            begun = true;
            boundSince = System.nanoTime();
            connection.inTransaction(true);
        } else if (System.nanoTime() - boundSince > timeouts.text().toNanos() / 2) {
            Script unused = timeouts.again(all);
            boundSince = System.nanoTime();
        }
    }

    /** Runs a script that may take any time, because it counts or removes millions of rows. */
    private void runLong(Script script) {
        Script all = timeouts.unbound(script()).append(script);
        run(timeouts.again(all));
        boundSince = System.nanoTime();
    }

    /**
     * Asks the server, with the next script, for the time in which this node decides about rows and sends them. A node that works on
     * many takes long to say something again, and one that has stopped must not keep its slots for as long.
     */
    private void askForTime(long rows, long bytes) {
        Timeouts needed = parts.timeouts().workingOn(rows, bytes);
        if (needed.pause().compareTo(timeouts.pause().plus(SHORT)) > 0) {
            pending = needed.replace(pending, timeouts);
            timeouts = needed;
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

    RowStatements rowStatements() {
        return rowStatements;
    }

    UsageRows usage() {
        return usage;
    }

    /** Locks slots, unless they are locked already. */
    void hold(Collection<Integer> slots) {
        held.hold(slots);
    }

    /** Locks slots with the next script, before what is added later. */
    void holdNext(Collection<Integer> slots) {
        held.holdNext(pending, slots);
    }

    /** Makes all numbers from now on higher than some number, and the time not earlier than some time, in all slots. */
    void continueAfter(HighWater other) {
        held.notBefore(other.time());
        held.all().values().forEach(slot -> {
            slot.startFrom(slots().seq(other.sequence()) + 2); // the log gets the number before
            slot.change();
        });
    }

    /** Notes that rows of a slot change. */
    void changed(int slot) {
        held.get(slot).change();
    }

    /** Notes that deliveries of a slot were recorded, or have become due. */
    void recorded(int slot) {
        held.get(slot).record();
    }

    @Override
    public void limitLoad(long bytes) {
        loadLimit = bytes;
    }

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Set<Integer> slots = new TreeSet<>();
        keys.forEach(key -> slots.add(slots().of(key.group())));
        namespaces.forEach(namespace -> slots.add(slots().of(Namespaces.prefix(namespace))));
        askForTime(keys.size(), 0);
        Script script = script();
        if (!namespaces.isEmpty() && usage.isChanged()) {
            usage.flush(writes());
        }
        HeldSlots.Locking locking = held.lock(script, slots);
        Map<RowKey, Row> rows = new HashMap<>();
        Reads.Sized sized = null;
        if (keys.size() > 1 && loadLimit < Long.MAX_VALUE) {
            sized = reads.unlocked().readSmall(script, keys, rows);
        } else if (!keys.isEmpty()) {
            Script unused = reads.unlocked().readAll(script, keys, rows);
        }
        Map<String, UsageRows.Found> found = usage.load(script, namespaces, keys);
        if (!script.isEmpty()) {
            run(script);
        }
        locking.end();
        List<RowKey> large = sized == null ? List.of() : sized.large(loadLimit);
        if (!large.isEmpty()) {
            run(reads.unlocked().readAll(script(), large, rows));
        }
        Script counting = usage.countMissing(script(), found.values());
        if (!counting.isEmpty()) {
            writing = true;
            runLong(counting);
        }
        return new Loaded(rows, new HashMap<>(found));
    }

    @Override
    public EngineReads reads() {
        return reads;
    }

    @Override
    public long now() {
        return held.now();
    }

    @Override
    public long nextSequence(String group) {
        int slot = slots().of(group);
        return slots().number(slot, held.get(slot).next());
    }

    /** Returns a number that is free for an id in a slot. */
    long nextId(int slot) {
        changed(slot);
        return slots().number(slot, held.get(slot).next());
    }

    @Override
    public Set<String> validate(EngineSnapshot snapshot) {
        if (snapshot instanceof LockedSnapshot) {
            return Set.of(); // nobody else could write
        }
        if (!(snapshot instanceof Snapshot read)) {
            throw new IllegalArgumentException("'snapshot' must be one of this engine");
        }
        askForTime(read.rows().size(), 0);
        hold(read.slots());
        Set<RowKey> suspects = new TreeSet<>(RowKey.ORDER);
        Set<String> namespaces = new TreeSet<>();
        for (int slot : read.slots()) {
            Head head = held.get(slot).head();
            Snapshot.Seen seen = read.seen(slot);
            if (seen.reserved() && head.seq() != seen.seq()) {
                throw new ConflictException("Another commit has taken a later number");
            }
            boolean unchanged = head.seq() == seen.seq() && !seen.slipped();
            GroupRange range = seen.range();
            if (!unchanged && range != null) {
                throw new ConflictException(
                        "Something has changed since a range of " + range.described() + " was read");
            }
            if (!unchanged) {
                read.rows().keySet().stream()
                        .filter(key -> slots().of(key.group()) == slot)
                        .forEach(suspects::add);
            }
            read.usages().stream()
                    .filter(usage -> usage.slot() == slot && !(unchanged && usage.isCounted()))
                    .forEach(usage -> namespaces.add(usage.namespace())); // at least to count it
            held.get(slot).startFrom(seen.next());
        }
        Set<String> changed = new TreeSet<>();
        if (suspects.isEmpty() && namespaces.isEmpty()) {
            return changed;
        }
        Loaded present = load(suspects, namespaces);
        for (RowKey key : suspects) {
            requireSame(key, read.rows().get(key), present.rows().get(key));
        }
        for (UsageRows.Found usage : read.usages()) {
            NamespaceUsage now = present.usage().get(usage.namespace());
            if (now != null && !(usage.isCounted() && usage.isSame(now))) {
                changed.add(usage.namespace());
            }
        }
        return changed;
    }

    private static void requireSame(RowKey key, @Nullable Row before, @Nullable Row after) {
        if (!Row.areSame(before, after)) {
            throw new ConflictException("A row of the group '" + key.group() + "' has changed since it was read");
        }
    }

    @Override
    public void store(Collection<RowChange> changes) {
        Timeouts before = timeouts;
        askForTime(changes.size(), bytes(changes));
        if (begun && !timeouts.equals(before)) {
            run(script()); // before all that is made of them
        }
        for (RowChange change : changes) {
            Row after = change.after();
            LockedSlot slot = held.get(slots().of(change.key().group()));
            slot.change();
            if (after != null) {
                slot.dueAt(after.expiresAt());
            }
            usage.add(change);
        }
        rowStatements.add(writes(), changes);
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
    public void log(List<LoggedChange> changes) {
        changes.forEach(change -> held.get(slots().of(change.group())).log(change));
    }

    @Override
    public PurgeResult removeExpired(GroupRange groups, long until, PurgeBudget budget, List<GroupRange> retained) {
        return new SlotPurge(this, parts, groups, until, budget, retained).run();
    }

    @Override
    public boolean expired(Collection<Row> rows, List<GroupRange> retained) {
        rows.forEach(row -> changed(slots().of(row.key().group())));
        List<Row> kept = rows.stream()
                .filter(row -> retained.stream()
                        .anyMatch(groups -> groups.contains(row.key().group())))
                .toList();
        rowStatements.retain(writes(), kept);
        DeliveryStatements table = new DeliveryStatements(this);
        return new DeliveryLines(table).record(new DeliveryQueries(this, slots()).subscribers(), rows);
    }

    @Override
    public DeliveryWrites deliveries() {
        return new DeliveryLines(new DeliveryStatements(this));
    }

    @Override
    public long removeGroup(String group) {
        int slot = slots().of(group);
        changed(slot);
        List<Long> removed = new ArrayList<>();
        Script script = script().count(REMOVE_GROUP, removed::add, slot, group);
        usage.clear(script, group);
        writing = true;
        runLong(script);
        return removed.get(0);
    }

    @Override
    public int forget(GroupRange groups, long until, int limit) {
        int forgotten = 0;
        Object to = Script.orNull(groups.to());
        for (int slot : slots().of(groups)) {
            if (forgotten < limit) {
                List<Long> removed = new ArrayList<>();
                Script unused = writes().count(
                                FORGET, removed::add, slot, until, groups.from(), to, to, limit - forgotten, slot);
                run(script());
                forgotten += removed.get(0).intValue();
            }
        }
        return forgotten;
    }

    @Override
    public int mendRetained(long after, long to, int limit) {
        int mended = 0;
        for (int slot : slots().all()) {
            if (mended < limit) {
                List<Long> changed = new ArrayList<>();
                Script unused =
                        writes().count(MEND_RETAINED, changed::add, to, to, to, slot, after, limit - mended, slot);
                run(script());
                mended += changed.get(0).intValue();
            }
        }
        return mended;
    }

    /** Adds the log rows of the commit to what is to be sent. */
    @Override
    public @Nullable Sent prepare() {
        usage.flush(pending);
        SortedMap<Integer, LockedSlot> all = held.all();
        if (writing && all.values().stream().noneMatch(LockedSlot::isChanged)) {
            // Every commit that writes is in the log, or nobody could tell whether it was made.
            changed(all.isEmpty() ? 0 : all.firstKey());
        }
        List<LogRow> rows = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        for (LockedSlot slot : all.values()) {
            if (slot.isChanged()) {
                List<LogRow> logged = slot.log(batch);
                rows.addAll(logged);
                times.addAll(Collections.nCopies(logged.size(), slot.at(held.now())));
            }
        }
        LogRow.add(pending, rows, times);
        return rows.isEmpty() ? null : new Sent(batch, rows);
    }

    /** Sends what is left, with the commit unless the application makes it. */
    @Override
    public void send() throws SQLException {
        Script all = parts.connections().script();
        begin(all);
        all.append(pending);
        if (joined) {
            if (!timeouts.equals(parts.timeouts())) {
                all = parts.timeouts().replace(all, timeouts);
            }
            connection.run(parts.timeouts().restore(all, replaced));
        } else {
            connection.run(all.add("COMMIT"));
            connection.inTransaction(false);
        }
    }

    /** Logs the numbers that a transaction has handed out before it was rolled back, because it may have shown them. */
    void logNumbers() {
        Script numbers = script();
        held.logNumbers(numbers, batch);
        if (!numbers.isEmpty()) {
            parts.connections()
                    .run(parts.timeouts().begin(script()).append(numbers).add("COMMIT"));
        }
    }

    @Override
    public void ask() {
        // All that it wants to know was told before it was sent.
    }

    @Override
    public List<LogRow> news() {
        return held.news();
    }

    @Override
    public boolean isLocked() {
        return true;
    }
}
