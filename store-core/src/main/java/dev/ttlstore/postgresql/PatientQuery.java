package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.StoreClosedException;

/** Asks the server again until it answers, for what has to be known after the answer of a commit was lost. */
final class PatientQuery {

    private static final Logger log = LoggerFactory.getLogger(PatientQuery.class);

    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * A question to the server, which may be asked more than once.
     *
     * @param <T> the answer
     */
    @FunctionalInterface
    interface Question<T extends @Nullable Object> {
        T ask() throws SQLException;
    }

    private PatientQuery() {}

    /**
     * Asks until there is an answer, at most for as long as the outcome of a commit is looked up. An interrupt does not end this,
     * and is kept.
     *
     * @throws SQLException if there was no answer in time, or a RuntimeException: the last failure
     * @throws StoreClosedException if the store was closed, at once
     */
    static <T extends @Nullable Object> T ask(Timeouts timeouts, Question<T> question) throws SQLException {
        boolean interrupted = false;
        try {
            long end = System.nanoTime() + timeouts.outcome().toNanos();
            while (true) {
                interrupted |= Thread.interrupted(); // a pool would hand out nothing
                try {
                    return question.ask();
                } catch (StoreClosedException e) {
                    throw e;
                } catch (SQLException | RuntimeException e) { // whatever it is, the commit may have been made
                    if (System.nanoTime() - end >= 0) {
                        throw e;
                    }
                    log.debug("The server could not be asked about a commit yet", e);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
