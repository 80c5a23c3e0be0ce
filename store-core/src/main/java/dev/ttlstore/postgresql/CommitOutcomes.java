package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.postgresql.LogRow.CommitPlace;

/**
 * Finds out whether a commit was made whose answer was lost. It waits behind the lock of a slot of the commit, because the commit
 * may still be under way, and puts another row into the commit's place in the log, because its text may even arrive later.
 *
 * @param connections asks the server
 * @param timeouts how long to ask
 */
record CommitOutcomes(Connections connections, Timeouts timeouts) {

    private static final Logger log = LoggerFactory.getLogger(CommitOutcomes.class);
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private static final String FIND =
            "SELECT l.batch FROM @log l WHERE l.slot = ? AND l.seq BETWEEN ? AND ? AND l.batch = ?";

    private static final String OLDEST = "SELECT l.seq FROM @log l WHERE l.slot = ? ORDER BY l.seq LIMIT 1";

    private static final String TOMBSTONE = LogHead.APPEND.formatted("?", "1", "greatest(h.at, {now})") + """
             WHERE NOT EXISTS (SELECT 1 FROM @log f WHERE f.slot = ? AND f.seq BETWEEN ? AND ? AND f.batch = ?)
                ON CONFLICT (slot, seq) DO NOTHING
            """;

    /** What is known of a commit. */
    enum CommitStatus {
        COMMITTED,
        NOT_COMMITTED,
        UNKNOWN
    }

    /** Returns what became of a commit. If it was not made, it never will be. */
    CommitStatus of(CommitPlace place) {
        try {
            return ask(() -> lookUp(place));
        } catch (RuntimeException e) {
            log.debug("The outcome of a commit could not be looked up", e);
            return CommitStatus.UNKNOWN;
        }
    }

    private CommitStatus lookUp(CommitPlace place) {
        int slot = place.slot();
        List<UUID> found = new ArrayList<>(1);
        List<Long> oldest = new ArrayList<>(1);
        connections.runOnce(LogHead.lock(timeouts.begin(connections.script()), slot)
                .query(
                        FIND,
                        result -> found.add(result.getObject(1, UUID.class)),
                        slot,
                        place.from(),
                        place.to(),
                        place.batch())
                .query(OLDEST, result -> oldest.add(result.getLong(1)), slot)
                .add(TOMBSTONE, place.to(), UUID.randomUUID(), slot, slot, place.from(), place.to(), place.batch())
                .add("COMMIT"));
        if (!found.isEmpty()) {
            return CommitStatus.COMMITTED;
        }
        boolean trimmed = oldest.isEmpty() || oldest.get(0) > place.from();
        return trimmed
                ? CommitStatus.UNKNOWN
                : CommitStatus.NOT_COMMITTED; // the answer may have taken longer than the log is kept
    }

    /**
     * Asks the server again until it answers, for what has to be known after the answer of a commit was lost. An interrupt does not end
     * this, and is kept.
     *
     * @param question may be asked more than once
     * @throws RuntimeException if there was no answer in time: the last failure
     * @throws StoreClosedException if the store was closed, at once
     */
    <T> T ask(Supplier<T> question) {
        boolean interrupted = false;
        try {
            long end = System.nanoTime() + timeouts.outcome().toNanos();
            while (true) {
                interrupted |= Thread.interrupted(); // a pool would hand out nothing
                try {
                    return question.get();
                } catch (StoreClosedException e) {
                    throw e;
                } catch (RuntimeException e) { // whatever it is, the commit may have been made
                    if (System.nanoTime() - end >= 0) {
                        throw e;
                    }
                    log.debug("The server could not be asked about a commit yet", e);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } finally {
            Deadline.restoreInterrupt(interrupted);
        }
    }
}
