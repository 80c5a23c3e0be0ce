package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.exception.StoreException;

/**
 * Looks at the time under the lock of a slot, and logs it. From then on every commit of the slot has a later time, so what has
 * expired by it stays expired, whatever clocks do and whichever commit is under way. Thread-safe.
 */
final class FinalTimes {

    private static final Logger log = LoggerFactory.getLogger(FinalTimes.class);

    private static final String LOOK =
            LogHead.APPEND.formatted("greatest(h.seq + h.n, ?, {micros})", "1", "greatest(h.at, ?)")
                    + "RETURNING at, seq";

    /**
     * Whether a row has expired by a time, but not by the head of its slot. The order has the server look in the index. For EXISTS, it
     * may join all entries.
     */
    private static final String UNSETTLED = """
            SELECT s.slot
              FROM {slots at}
             CROSS JOIN LATERAL (
                   SELECT 1
                     FROM @entry e
                    WHERE e.slot = s.slot AND e.due_at >= s.at - %d AND e.due_at <= ?
                      AND e.expires_at > s.at AND e.expires_at <= ?
                    ORDER BY e.due_at
                    LIMIT 1) f
            """.formatted(ExpiryIndex.MAX_LAG_MILLIS);

    private static final String UNSETTLED_IN_ONE = """
            SELECT e.slot
              FROM @entry e
             WHERE e.slot = ? AND e.due_at >= ? AND e.due_at <= ? AND e.expires_at > ? AND e.expires_at <= ?
             ORDER BY e.due_at
             LIMIT 1
            """;

    /** For a look that others should not wait for. */
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Connections connections;
    private final Timeouts timeouts;
    private final Reached[] reached;

    /** The time that the last look at a slot has logged, and when that was. Used under its lock. */
    private static final class Reached {
        private final ReentrantLock lock = new ReentrantLock();
        private long time = Long.MIN_VALUE;
        private long nanos;

        private boolean has(long other, long begun) {
            return time >= other && nanos - begun > 0;
        }
    }

    FinalTimes(Connections connections, Timeouts timeouts, Slots slots) {
        this.connections = connections;
        this.timeouts = timeouts;
        this.reached = new Reached[slots.count()];
        Arrays.setAll(reached, slot -> new Reached());
    }

    /**
     * The place of a look in the log.
     *
     * @param before the number of the head before it
     * @param seq its own number
     */
    record Looked(long before, long seq) {}

    /**
     * Returns the slots in which something has expired by a time, but not by the head of the slot.
     *
     * @param runner runs the query
     * @param heads the times of the heads, by slot
     * @param time the time
     */
    static Set<Integer> unsettled(QueryRunner runner, Map<Integer, Long> heads, long time) {
        Set<Integer> unsettled = new TreeSet<>();
        Script script = runner.script();
        Script.RowHandler reader = row -> unsettled.add(row.getInt(1));
        if (heads.size() == 1) {
            heads.forEach((slot, at) ->
                    script.query(UNSETTLED_IN_ONE, reader, slot, ExpiryIndex.firstDue(at), time, at, time));
        } else {
            script.query(
                    UNSETTLED,
                    reader,
                    RowColumns.integers(heads.keySet()),
                    RowColumns.numbers(heads.values()),
                    time,
                    time);
        }
        runner.run(script);
        return unsettled;
    }

    /**
     * Makes a time of a slot final.
     *
     * @param slot the slot
     * @param time a time that the slot has reached
     * @param begun when the reader has begun, as {@link System#nanoTime} tells it. It relies on a look of another one after that,
     *     but not on an earlier one, which a failover may have lost
     * @return where that was logged; null if it was final already
     */
    @Nullable
    Looked look(int slot, long time, long begun) {
        Reached last = reached[slot];
        last.lock.lock(); // readers that come together share a look
        try {
            return last.has(time, begun) ? null : lookNow(slot, time, Long.MIN_VALUE, timeouts, last);
        } finally {
            last.lock.unlock();
        }
    }

    /**
     * Makes a time of a slot final, and its numbers up to one used, unless somebody else has the slot.
     *
     * @param slot the slot
     * @param time a time that the slot has reached; {@link Long#MIN_VALUE} for none
     * @param number the highest number that was handed out without a commit; {@link Long#MIN_VALUE} for none
     * @return whether that was done
     */
    boolean tryLook(int slot, long time, long number) {
        Reached last = reached[slot];
        if (!last.lock.tryLock()) {
            return false;
        }
        try {
            Looked unused = lookNow(slot, time, number, timeouts.waiting(SHORT), last);
            return true;
        } catch (StoreException | ConflictException e) {
            log.debug("A slot could not be looked at; this is tried again", e);
            return false;
        } finally {
            last.lock.unlock();
        }
    }

    private @Nullable Looked lookNow(int slot, long time, long number, Timeouts limited, Reached last) {
        List<Long> before = new ArrayList<>(1);
        List<Looked> looked = new ArrayList<>(1);
        Script script = LogHead.lock(limited.begin(connections.script()), slot);
        Script unused = LogHead.query(script, List.of(slot), head -> before.add(head.seq()))
                .query(
                        LOOK,
                        row -> {
                            last.time = row.getLong(1);
                            last.nanos = System.nanoTime();
                            looked.add(new Looked(before.get(0), row.getLong(2)));
                        },
                        number,
                        time,
                        UUID.randomUUID(),
                        slot)
                .add("COMMIT");
        try (Connections.Borrowed borrowed = connections.borrow()) {
            borrowed.inTransaction(true);
            borrowed.runFirst(script); // a second look does no harm
            borrowed.inTransaction(false);
            return LogHead.required(slot, looked);
        } catch (SQLException e) {
            last.time = Long.MIN_VALUE;
            if (!Errors.isReadOnly(e)) {
                throw Errors.translate(e);
            }
            // Nobody can renew anything here, so what has expired stays so unless the clock steps back.
            log.debug("The time of a read could not be logged on a server that only reads", e);
            return null;
        }
    }
}
