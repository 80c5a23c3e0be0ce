package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.postgresql.LogRow.Sent;

/**
 * Finds out whether a commit was made whose answer was lost. It waits behind the lock of a slot of the commit, because the commit
 * may still be under way, and puts another row into the commit's place in the log, because its text may even arrive later.
 */
final class Outcomes {

    private static final Logger log = LoggerFactory.getLogger(Outcomes.class);

    private static final String FIND = "SELECT l.batch FROM @log l WHERE l.slot = ? AND l.seq = ?";

    private static final String OLDEST = "SELECT l.seq FROM @log l WHERE l.slot = ? ORDER BY l.seq LIMIT 1";

    private static final String TOMBSTONE = """
            INSERT INTO @log (slot, seq, n, at, batch, deliveries)
            SELECT h.slot, ?, 1, greatest(h.at, {now}), ?, false
              FROM %s h
                ON CONFLICT (slot, seq) DO NOTHING
            """.formatted(Head.NEWEST);

    private final Connections connections;
    private final Timeouts timeouts;

    Outcomes(Connections connections, Timeouts timeouts) {
        this.connections = connections;
        this.timeouts = timeouts;
    }

    /** What is known of a commit. */
    enum Outcome {
        COMMITTED,
        NOT_COMMITTED,
        UNKNOWN
    }

    /** Returns what became of a commit. If it was not made, it never will be. */
    Outcome of(Sent sent) {
        try {
            return PatientQuery.ask(timeouts, () -> lookUp(sent));
        } catch (SQLException | RuntimeException e) {
            log.debug("The outcome of a commit could not be looked up", e);
            return Outcome.UNKNOWN;
        }
    }

    private Outcome lookUp(Sent sent) throws SQLException {
        LogRow row = sent.rows().get(0);
        List<UUID> found = new ArrayList<>(1);
        List<Long> oldest = new ArrayList<>(1);
        try (Connections.Borrowed borrowed = connections.borrow()) {
            borrowed.inTransaction(true);
            borrowed.run(Head.lock(timeouts.begin(connections.script()), row.slot())
                    .query(FIND, result -> found.add(result.getObject(1, UUID.class)), row.slot(), row.seq())
                    .query(OLDEST, result -> oldest.add(result.getLong(1)), row.slot())
                    .add(TOMBSTONE, row.seq(), UUID.randomUUID(), row.slot())
                    .add("COMMIT"));
            borrowed.inTransaction(false);
        }
        if (found.isEmpty() && (oldest.isEmpty() || oldest.get(0) > row.seq())) {
            return Outcome.UNKNOWN; // the answer took so long that the log was trimmed meanwhile
        }
        return found.contains(sent.batch()) ? Outcome.COMMITTED : Outcome.NOT_COMMITTED;
    }
}
