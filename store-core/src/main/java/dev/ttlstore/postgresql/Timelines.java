package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;

/**
 * Makes the numbers of all slots continue far ahead after a failover or a restore, so that those of lost commits are not used again
 * even if the clock of the new server is behind. Both give the database another timeline, or another system identifier. The table
 * of leases remembers, in a row for each slot, under which of them the numbers of the slot were given.
 *
 * <p>Reading that for each commit would cost a round trip. So this node reads it once for each start of a server, and each commit
 * checks on the server that it is still the same one: a server that takes over has started at another time. Thread-safe.
 */
final class Timelines {

    private static final Logger log = LoggerFactory.getLogger(Timelines.class);

    /** How far numbers continue ahead at least, in microseconds: how far a clock may be behind, and the lost commits with it. */
    private static final long LEAST_JUMP = 1L << 32;

    /**
     * How far at most. Chance decides, because the jump itself may be lost with the next failover, and the next one must not end at
     * the same numbers. Until the clock has caught up, nodes that write to the same slot are slower, so this is less than a day.
     */
    private static final long MOST_JUMP = 1L << 36;

    private static final String IS_STANDBY = "pg_is_in_recovery()";

    /** What the server tells of itself, and what was remembered. */
    private static final String STATES = """
            SELECT s.slot, {server}, %s, r.until, r.mark, %%s
              FROM {slots}
              LEFT JOIN @lease r ON r.slot = s.slot AND r.role = 'timeline'
            """.formatted(IS_STANDBY);

    /** The first digits of the name of a file of the log are the timeline. A checkpoint tells it too late. */
    private static final String TOLD = STATES.formatted("(pg_control_system()).system_identifier, CASE WHEN NOT "
            + IS_STANDBY + " THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END");

    private static final String UNTOLD = STATES.formatted("0, NULL::text");

    private static final String JUMP =
            LogHead.APPEND.formatted("greatest(h.seq + h.n, {micros}) + ?", "1", "greatest(h.at, {now})");

    private static final String REMEMBER = """
            INSERT INTO @lease (slot, role, until, mark) VALUES (?, 'timeline', ?, ?)
                ON CONFLICT (slot, role) DO UPDATE SET until = excluded.until, mark = excluded.mark
            """;

    /** Stands for no server. */
    private static final long NONE = Long.MIN_VALUE;

    private static final int HEXADECIMAL = 16;

    private final Connections connections;
    private final Timeouts timeouts;
    private final Slots slots;

    /** When the server of each slot had started that this node has looked at. */
    private final AtomicLongArray servers;

    private volatile boolean doubtful = true;
    private boolean untold;

    /** A database as it was at some time: a system, and a timeline. */
    private record History(long system, long timeline) {}

    /**
     * A slot.
     *
     * @param slot its number
     * @param server when its server has started
     * @param standby whether that only replays what another one writes
     * @param remembered where its numbers were given; null if that was not remembered
     * @param present where it is now; null if the server does not tell
     */
    private record State(
            int slot,
            long server,
            boolean standby,
            @Nullable History remembered,
            @Nullable History present) {

        private static State of(ResultSet row) throws SQLException {
            long system = row.getLong(4);
            boolean none = row.wasNull();
            History remembered = none ? null : new History(system, row.getLong(5));
            String timeline = row.getString(7);
            History present =
                    timeline == null ? null : new History(row.getLong(6), Long.parseLong(timeline, HEXADECIMAL));
            return new State(row.getInt(1), row.getLong(2), row.getBoolean(3), remembered, present);
        }

        private boolean hasChanged() {
            return present != null && !present.equals(remembered);
        }
    }

    Timelines(Connections connections, Timeouts timeouts, Slots slots) {
        this.connections = connections;
        this.timeouts = timeouts;
        this.slots = slots;
        this.servers = new AtomicLongArray(slots.count());
        for (int slot = 0; slot < slots.count(); slot++) {
            servers.set(slot, NONE);
        }
    }

    /** Returns when the server had started from which this node may hand out numbers of a slot. */
    long server(int slot) {
        return servers.get(slot);
    }

    /** Notes which server has told a head. If it is not the known one, the next {@link #settle} has to look. */
    void look(LogHead head) {
        if (head.server() != servers.get(head.slot())) {
            doubtful = true;
        }
    }

    /** Notes that the server is not the known one, so that the next {@link #settle} looks. */
    void doubt() {
        doubtful = true;
    }

    /** Refuses to go on from a head of a server that this node does not know yet. */
    void requireSettled(LogHead head) {
        look(head);
        if (doubtful) {
            throw new ConflictException("The server was started since numbers were handed out, or is another one");
        }
    }

    /**
     * Looks whether the database is another one than before, if this node has to look, and then makes the numbers of all slots
     * continue ahead, once for all nodes. Uses a connection of its own.
     */
    void settle() {
        if (doubtful) {
            try {
                settleNow();
            } catch (SQLException e) {
                throw Errors.translate(e);
            }
        }
    }

    private synchronized void settleNow() throws SQLException {
        if (!doubtful) {
            return; // another thread has done it
        }
        List<State> states = read();
        if (states.stream().anyMatch(State::standby)) {
            return; // it hands out no numbers
        }
        SortedSet<Integer> changed = new TreeSet<>();
        states.stream().filter(State::hasChanged).forEach(state -> changed.add(state.slot()));
        if (!changed.isEmpty()) {
            states.removeIf(State::hasChanged);
            states.addAll(continueAhead(changed));
        }
        doubtful = false;
        states.forEach(state -> servers.set(state.slot(), state.server()));
    }

    private List<State> read() throws SQLException {
        try (Connections.Borrowed borrowed = connections.borrow()) {
            List<State> states = new ArrayList<>();
            try {
                borrowed.runFirst(read(connections.script(), slots.all(), states::add));
            } catch (SQLException e) {
                if (untold || !Errors.isUnsupported(e)) {
                    throw e;
                }
                log.info(
                        "PostgreSQL does not tell its timeline, so after a failover versions rely on the server's clock",
                        e);
                untold = true;
                borrowed.run(read(connections.script(), slots.all(), states::add));
            }
            return states;
        }
    }

    private Script read(Script script, List<Integer> some, Consumer<State> found) {
        return script.query(untold ? UNTOLD : TOLD, row -> found.accept(State.of(row)), RowColumns.integers(some));
    }

    private List<State> continueAhead(SortedSet<Integer> changed) throws SQLException {
        long jump = ThreadLocalRandom.current().nextLong(LEAST_JUMP, MOST_JUMP);
        List<State> states = new ArrayList<>();
        try (Connections.Borrowed borrowed = connections.borrow()) {
            borrowed.inTransaction(true);
            Script script = LogHead.lock(timeouts.begin(connections.script()), changed);
            borrowed.runFirst(read(script, List.copyOf(changed), states::add));
            Script writes = connections.script();
            boolean jumps = false;
            for (State state : states) {
                History present = state.present();
                if (present != null && state.hasChanged()) { // another node may have been faster
                    if (state.remembered() != null) {
                        writes.add(JUMP, jump, UUID.randomUUID(), state.slot());
                        jumps = true;
                    }
                    writes.add(REMEMBER, state.slot(), present.system(), present.timeline());
                }
            }
            borrowed.run(writes.add("COMMIT"));
            borrowed.inTransaction(false);
            if (jumps) {
                log.warn(
                        "The database has failed over or was restored: it has another timeline than before. Versions continue {}"
                                + " ahead, so that those of lost commits are not used again",
                        jump);
            }
        }
        return states;
    }
}
