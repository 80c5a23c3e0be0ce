package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.transaction.ApplicationTransaction;

/**
 * Borrows connections of the application's data source, and gives them back as they were. A query runs on a connection of its own.
 * Thread-safe.
 */
final class Connections implements QueryRunner {

    private static final Logger log = LoggerFactory.getLogger(Connections.class);

    /** How often a thread that commits for others may be interrupted while it waits for a connection. */
    private static final int MOST_INTERRUPTS = 10;

    /** How many dead connections are replaced before the caller hears of them. */
    private static final int MAX_REPLACEMENTS = 3;

    /** How long after an answer the server is believed to be there. Longer than the pauses between the looks at the log. */
    private static final long PRESENT_NANOS = Duration.ofMillis(2_500).toNanos();

    private final ConnectionSource source;
    private final Sql sql;
    private final Timeouts timeouts;
    private final CommitTimes times = new CommitTimes(System::nanoTime);
    private volatile boolean closed;
    private volatile boolean answering;
    private volatile long lastAnswer = times.now();

    Connections(DataSource source, Sql sql, Timeouts timeouts) {
        this.source = new ConnectionSource(source);
        this.sql = sql;
        this.timeouts = timeouts;
    }

    /** A borrowed connection. Closing it gives it back, or throws it away if it is broken. Used by one thread. */
    final class Borrowed implements AutoCloseable {
        private Connection connection;
        private boolean autoCommit;
        private boolean open;
        private boolean broken;

        /** Whether it was thrown away, and another one is borrowed if it is needed again. */
        private boolean gone;

        /** How many scripts the server has answered. */
        private int answers;

        /** The transaction of the application to which the connection belongs; null if it was borrowed from the pool. */
        private final @Nullable ApplicationTransaction lender;

        private Borrowed(Connection connection) throws SQLException {
            this.connection = connection;
            this.autoCommit = ConnectionSource.prepare(connection);
            this.lender = null;
        }

        private Borrowed(ApplicationTransaction lender) throws SQLException {
            this.connection = lender.connection();
            this.lender = lender;
        }

        Connection connection() {
            return connection;
        }

        /** Tests whether it belongs to a transaction of the application. */
        boolean isLent() {
            return lender != null;
        }

        /** Returns how many scripts the server has answered. */
        int answers() {
            return answers;
        }

        /** Notes that a text has begun a transaction, or ended it. */
        void inTransaction(boolean nowOpen) {
            open = nowOpen;
        }

        /** Runs a script. */
        void run(Script script) throws SQLException {
            if (gone) {
                replace();
            }
            long sentAt = times.now();
            try {
                script.run(connection, lender);
                lastAnswer = times.answered(sentAt);
                answers++;
                answering = true;
            } catch (SQLException e) {
                if (Errors.isDoubtful(e)) {
                    broken = true;
                    answering = false;
                }
                throw e;
            } catch (RuntimeException | Error e) {
                broken = true; // half-way through an answer
                throw e;
            }
        }

        /**
         * Runs the first script on this connection, which may run twice. Runs it once more on another connection if this one
         * was dead, and so on: after a restart of the server most of a pool may be.
         */
        void runFirst(Script script) throws SQLException {
            for (int left = MAX_REPLACEMENTS; ; left--) {
                try {
                    run(script);
                    return;
                } catch (SQLException e) {
                    if (left == 0 || lender != null || !Errors.isStale(e)) {
                        throw e;
                    }
                    log.debug("A dead connection is replaced", e);
                }
                throwAway();
                replace();
            }
        }

        @SuppressWarnings("MustBeClosedChecker")
        private void replace() throws SQLException {
            Connection next = source.ask();
            connection = next;
            gone = false;
            broken = true; // until it is prepared
            autoCommit = ConnectionSource.prepare(next);
            broken = false;
        }

        /** Runs a script, unless the connection is broken. If that fails, it is broken. */
        void runIfUsable(Script script) {
            if (!broken) {
                try {
                    run(script);
                } catch (SQLException e) {
                    broken = true;
                    log.debug("A connection could not be given back as it was", e);
                }
            }
        }

        /** Cuts the connection off, in any thread. A thread that uses it gets an exception. */
        void abort() {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                log.debug("A connection could not be cut off", e);
            }
        }

        /**
         * Throws it away at once. Nobody knows what is under way on it. To find out takes another connection, and the pool may have
         * none.
         */
        void breakOff() {
            broken = true;
            throwAway();
            gone = true;
        }

        /**
         * Gives the connection back already now, because somebody may need one for what this thread waits for. A later script gets
         * another one. That of an application's transaction is kept.
         */
        void giveBack() {
            close();
            gone = lender == null;
        }

        /** Gives the connection back, whatever happens. Rolls back what is open, unless the application does that. */
        @Override
        public void close() {
            if (lender != null || gone) {
                return;
            }
            boolean clean = false;
            try {
                if (!broken && open) {
                    run(new Script(sql).add("ROLLBACK"));
                }
                if (!broken && !autoCommit) {
                    connection.setAutoCommit(false);
                }
                clean = true;
            } catch (SQLException | RuntimeException e) {
                log.debug("A connection could not be given back as it was", e);
            } finally {
                broken |= !clean;
                throwAway();
            }
        }

        private void throwAway() {
            try {
                try {
                    if (broken) {
                        connection.abort(Runnable::run);
                    }
                } finally {
                    connection.close();
                }
            } catch (SQLException | RuntimeException e) {
                log.debug("A broken connection could not be closed", e);
            }
        }
    }

    ConnectionSource.Demand demand() {
        return source.demand();
    }

    /** Borrows a connection. */
    Borrowed borrow() {
        requireOpen();
        try {
            return borrowNow();
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
    }

    /**
     * Borrows a connection for a commit. Its thread works for others too, so it gets one although it is interrupted, at which a pool
     * ends a wait.
     */
    @SuppressWarnings("MustBeClosedChecker")
    Borrowed borrowForAll() {
        boolean interrupted = Thread.interrupted();
        try {
            for (int attempt = 1; ; attempt++) {
                requireOpen();
                try {
                    return borrowNow();
                } catch (SQLException e) {
                    boolean again = Thread.interrupted() || ConnectionSource.isInterrupt(e);
                    interrupted |= again;
                    if (!again || attempt == MOST_INTERRUPTS) {
                        throw Errors.translate(e);
                    }
                }
            }
        } finally {
            Deadline.restoreInterrupt(interrupted);
        }
    }

    @SuppressWarnings("MustBeClosedChecker")
    private Borrowed borrowNow() throws SQLException {
        Connection connection = source.ask();
        try {
            return new Borrowed(connection);
        } catch (SQLException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    /** Uses the connection of a transaction of the application. */
    Borrowed of(ApplicationTransaction transaction) {
        requireOpen();
        try {
            return new Borrowed(transaction);
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
    }

    /** Whether the server has answered a short while ago, and no connection was lost since. */
    boolean isAnswering() {
        return answering && times.now() - lastAnswer < PRESENT_NANOS;
    }

    /** Returns how long answers and commits take. */
    CommitTimes times() {
        return times;
    }

    @Override
    public Script script() {
        return new Script(sql);
    }

    Sql sql() {
        return sql;
    }

    /** Runs a script on a connection of its own, once. It must leave no transaction open. */
    void runOnce(Script script) {
        try (Borrowed borrowed = borrow()) {
            borrowed.inTransaction(true); // if it fails half-way
            borrowed.run(script);
            borrowed.inTransaction(false);
        } catch (SQLException e) {
            throw Errors.translate(e);
        }
    }

    /** Runs changes that may be made twice, in a transaction of its own. */
    void change(Script changes) {
        Script script = timeouts.begin(script()).append(changes).add("COMMIT");
        try (Borrowed borrowed = borrow()) {
            borrowed.inTransaction(true);
            borrowed.runFirst(script);
            borrowed.inTransaction(false);
        } catch (SQLException e) {
            throw Errors.isConflict(e) ? Errors.refused(e) : Errors.translate(e);
        }
    }

    /** Makes one such change. */
    void change(String template, @Nullable Object... parameters) {
        change(script().add(template, parameters));
    }

    /**
     * Runs a query on a connection of its own. Runs it once more if the connection was dead, or if the server has preferred
     * another transaction, as a standby does.
     */
    @Override
    public void run(Script script) {
        try (Borrowed borrowed = borrow()) {
            try {
                borrowed.runFirst(script);
            } catch (SQLException e) {
                if (!Errors.isConflict(e)) {
                    throw e;
                }
                borrowed.run(script);
            }
        } catch (SQLException e) {
            throw Errors.isConflict(e) ? Errors.refused(e) : Errors.translate(e);
        }
    }

    void requireOpen() {
        if (closed) {
            throw new StoreClosedException();
        }
    }

    void close() {
        closed = true;
    }
}
