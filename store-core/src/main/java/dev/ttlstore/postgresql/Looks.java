package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the time under the lock of a slot, and logs it. From then on every commit of the slot has a later time, so what has
 * expired by it stays expired, whatever clocks do and whichever commit is under way. Thread-safe.
 */
final class Looks {

    private static final Logger log = LoggerFactory.getLogger(Looks.class);

    private static final String LOOK = """
            INSERT INTO @log (slot, seq, n, at, batch, deliveries)
            SELECT h.slot, greatest(h.seq + h.n, {micros}), 1, greatest(h.at, ?), ?, false
              FROM %s h
            RETURNING at
            """.formatted(Head.NEWEST);

    private final Connections connections;
    private final Limits limits;
    private final AtomicLong[] reached;

    Looks(Connections connections, Limits limits, Slots slots) {
        this.connections = connections;
        this.limits = limits;
        this.reached = new AtomicLong[slots.count()];
        for (int i = 0; i < reached.length; i++) {
            reached[i] = new AtomicLong(Long.MIN_VALUE);
        }
    }

    /**
     * Makes a time of a slot final.
     *
     * @param slot the slot
     * @param time a time that the slot has reached
     */
    void look(int slot, long time) {
        AtomicLong last = reached[slot];
        synchronized (last) { // readers that come together share a look
            if (last.get() < time) {
                lookNow(slot, time, last);
            }
        }
    }

    private void lookNow(int slot, long time, AtomicLong last) {
        Script script = limits.begin(connections.script())
                .add(Head.LOCK, slot)
                .query(LOOK, row -> last.set(row.getLong(1)), time, UUID.randomUUID(), slot)
                .add("COMMIT");
        try (Connections.Borrowed borrowed = connections.borrow()) {
            borrowed.inTransaction(true);
            borrowed.runFirst(script); // a second look does no harm
            borrowed.inTransaction(false);
        } catch (SQLException e) {
            last.set(Long.MIN_VALUE);
            if (!Errors.isReadOnly(e)) {
                throw Errors.translate(e);
            }
            // Nobody can renew anything here, so what has expired stays so unless the clock steps back.
            log.debug("The time of a read could not be logged on a server that only reads", e);
        }
    }
}
