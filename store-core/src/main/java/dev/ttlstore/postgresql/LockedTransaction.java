package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.HighWater;
import dev.ttlstore.postgresql.LogRow.LogPlace;
import dev.ttlstore.postgresql.LogRow.OwnCommit;

/**
 * A transaction that locks the slots in which it writes. Statements that only write wait for the next one that reads, or for the
 * {@code COMMIT}, and take no round trip of their own. With each lock it reads the head of the slot, and what others have committed there
 * since this node's place. It may be part of a transaction of the application, which then makes the commit. Used by one thread.
 */
final class LockedTransaction implements QueryRunner {

    /** Below this, the time for the rows of a commit makes no difference to the time that a node has anyway. */
    private static final Duration SHORT = Duration.ofMillis(100);

    private final NodeContext node;
    private final Connections.Borrowed connection;
    private final UUID batch = UUID.randomUUID();

    /** The locked slots, in the order of their numbers. */
    private final TreeMap<Integer, LockedSlot> held = new TreeMap<>();

    /** The slots that the next script locks. */
    private final Set<Integer> queued = new TreeSet<>();

    /** What others have committed in the locked slots. */
    private final List<LogRow> news = new ArrayList<>();

    private long now = Long.MIN_VALUE;

    /** The settings of the transaction of the application. */
    private final List<String> replaced = new ArrayList<>();

    private Script pending;
    private boolean begun;
    private boolean writing;

    /** When the server's limit for a text was last set, as {@link System#nanoTime} tells it. */
    private long boundSince;

    /** What is set now, or will be with the next script. It grows with the rows. */
    private Timeouts timeouts;

    /**
     * Prepares a transaction, which begins with the first script.
     *
     * @param node what all commits share
     * @param connection its connection. If an application's transaction has lent it, this is a part of that, which neither begins nor ends with
     *     it
     */
    LockedTransaction(NodeContext node, Connections.Borrowed connection) {
        this.node = node;
        this.connection = connection;
        this.pending = script();
        this.timeouts = node.timeouts();
    }

    @Override
    public Script script() {
        return node.connections().script();
    }

    /** Runs a script in the transaction, after what was written before. */
    @Override
    public void run(Script script) {
        Script all = script();
        boolean first = !begun;
        begin(all);
        all.append(pending).append(script);
        pending = script();
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
            Script unused = connection.isLent()
                    ? node.timeouts().join(all, replaced)
                    : node.timeouts().begin(all);
            begun = true;
            boundSince = System.nanoTime();
            connection.inTransaction(true);
        } else if (System.nanoTime() - boundSince > timeouts.text().toNanos() / 2) {
            Script unused = timeouts.again(all);
            boundSince = System.nanoTime();
        }
    }

    /** Runs writes that may take any time, because they count or remove millions of rows. */
    void writeLong(Script script) {
        writing = true;
        Script all = timeouts.unbound(script()).append(script);
        run(timeouts.again(all));
        boundSince = System.nanoTime();
    }

    /**
     * Asks the server, with the next script, for the time in which this node decides about rows and sends them. A node that works on
     * many takes long to say something again, and one that has stopped must not keep its slots for as long.
     */
    void askForTime(long rows, long bytes) {
        Timeouts needed = node.timeouts().workingOn(rows, bytes);
        if (needed.pause().compareTo(timeouts.pause().plus(SHORT)) > 0) {
            pending = needed.replace(pending, timeouts);
            timeouts = needed;
        }
    }

    /** Asks for it before statements are made of the rows, unless nothing is locked yet. */
    void askForTimeNow(long rows, long bytes) {
        Timeouts before = timeouts;
        askForTime(rows, bytes);
        if (begun && !timeouts.equals(before)) {
            run(script());
        }
    }

    /** Makes a change now, and returns how many rows it has changed. */
    int change(String template, Object... parameters) {
        AtomicLong changed = new AtomicLong();
        Script unused = writes().count(template, changed::set, parameters);
        run(script());
        return changed.intValue();
    }

    /** Adds a write, which goes with the next script or with the commit. */
    Script writes() {
        writing = true;
        return pending;
    }

    Slots slots() {
        return node.slots();
    }

    /** Locks slots, unless they are locked already. */
    void hold(Collection<Integer> slots) {
        Script script = script();
        Locking locking = lock(script, slots);
        if (!script.isEmpty()) {
            run(script);
        }
        locking.end();
    }

    /** Locks slots with the next script, before what is added later. */
    void holdNext(Collection<Integer> slots) {
        Locking locking = lock(pending, slots);
        queued.addAll(locking.slots);
        Script unused = pending.then(() -> {
            queued.removeAll(locking.slots);
            locking.end();
        });
    }

    /** Adds the locks of those slots that are not locked yet. */
    Locking lock(Script script, Collection<Integer> slots) {
        SortedSet<Integer> missing = new TreeSet<>(slots);
        missing.removeAll(held.keySet());
        missing.removeAll(queued);
        Script unused = LogHead.lock(script, missing);
        Locking locking = new Locking(missing);
        SortedMap<Integer, LogPlace> places = node.cursor().places(missing);
        Set<Integer> unfollowed = new TreeSet<>(missing);
        unfollowed.removeAll(places.keySet());
        if (!unfollowed.isEmpty()) {
            Script unusedToo = LogHead.query(script, unfollowed, locking.heads::add);
        }
        if (!places.isEmpty()) {
            since(script, places, locking.heads);
        }
        return locking;
    }

    /** Slots whose locks are under way. */
    final class Locking {
        private final Set<Integer> slots;
        private final List<LogHead> heads = new ArrayList<>();

        private Locking(Set<Integer> slots) {
            this.slots = slots;
        }

        /** Takes the heads, once the script has run. */
        void end() {
            Set<Integer> unknown = new TreeSet<>(slots);
            heads.forEach(head -> unknown.remove(head.slot()));
            if (!unknown.isEmpty()) {
                // The server has lost the commits that this node knows, as after a failover.
                run(LogHead.query(script(), unknown, heads::add));
            }
            for (LogHead head : heads) {
                node.timelines().requireSettled(head);
                held.put(head.slot(), new LockedSlot(head));
                tell(head);
            }
        }
    }

    private void since(Script script, SortedMap<Integer, LogPlace> places, List<LogHead> heads) {
        SortedMap<Integer, LogHead> found = new TreeMap<>();
        List<LogRow> rows = new ArrayList<>();
        Script unused = LogHead.since(script, places, node.clock().isFollowing(), row -> {
                    LogRow commit = LogRow.ofHead(row);
                    if (!found.containsKey(commit.slot())) {
                        found.put(commit.slot(), LogHead.of(row));
                    }
                    rows.add(commit);
                })
                .then(() -> {
                    heads.addAll(found.values());
                    Collections.reverse(rows);
                    news.addAll(rows);
                });
    }

    private void tell(LogHead head) {
        node.clock().heard(head.micros());
        now = Math.max(now, node.clock().told(head.time()));
    }

    /** Returns a slot, and locks it if it is not locked yet. */
    LockedSlot locked(int slot) {
        if (queued.contains(slot)) {
            run(script());
        }
        if (!held.containsKey(slot)) {
            hold(List.of(slot));
        }
        return LogHead.required(slot, held.get(slot));
    }

    /** Notes that rows of a slot change. */
    void changed(int slot) {
        locked(slot).change();
    }

    /** Notes that deliveries of a slot were recorded, or have become due. */
    void recorded(int slot) {
        locked(slot).record();
    }

    /** Returns the next number of a slot. */
    long nextNumber(int slot) {
        return slots().number(slot, locked(slot).next());
    }

    private SortedMap<Integer, LockedSlot> allLocked() {
        if (!queued.isEmpty()) {
            run(script());
        }
        return held;
    }

    /** Returns the time of the commit: not before that of any of the slots, or of all slots if none is locked yet. */
    long now() {
        if (now == Long.MIN_VALUE) {
            run(LogHead.query(script(), slots().all(), this::tell));
        }
        return now;
    }

    /** Makes all numbers from now on higher than some number, and the time not earlier than some believable time, in all slots. */
    void continueAfter(HighWater other) {
        if (ClockLeap.isBelievable(other.time(), now())) {
            now = Math.max(now, node.clock().told(other.time()));
        }
        allLocked().values().forEach(slot -> {
            slot.startFrom(slots().seq(other.sequence()) + 2); // the log gets the number before
            slot.change();
        });
    }

    /** Adds the log rows of the commit to what is to be sent. */
    OwnCommit log() {
        SortedMap<Integer, LockedSlot> all = allLocked();
        if (writing && all.values().stream().noneMatch(LockedSlot::isChanged)) {
            // Every commit that writes is in the log, or nobody could tell whether it was made.
            changed(all.isEmpty() ? 0 : all.firstKey());
        }
        List<LogRow> rows = all.values().stream()
                .filter(LockedSlot::isChanged)
                .flatMap(slot -> slot.log(batch).stream())
                .toList();
        LogRow.add(pending, rows, row -> locked(row.slot()).at(now)); // which the head of each slot has told
        return new OwnCommit(rows.isEmpty() ? null : batch, rows, news);
    }

    /** Sends what is left, with the commit unless the application makes it. */
    void send() throws SQLException {
        Script all = script();
        begin(all);
        all.append(pending);
        if (connection.isLent()) {
            if (!timeouts.equals(node.timeouts())) {
                all = node.timeouts().replace(all, timeouts);
            }
            connection.run(node.timeouts().restore(all, replaced));
        } else {
            connection.run(all.add("COMMIT"));
            connection.inTransaction(false);
        }
    }

    /** Logs the numbers that the transaction has handed out before it was rolled back, because it may have shown them. */
    void logNumbers() {
        Script numbers = script();
        held.values().forEach(slot -> slot.logNumbers(numbers, batch));
        if (!numbers.isEmpty()) {
            node.connections()
                    .runOnce(node.timeouts().begin(script()).append(numbers).add("COMMIT"));
        }
    }
}
