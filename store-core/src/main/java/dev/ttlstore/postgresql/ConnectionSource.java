package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import javax.sql.DataSource;

import dev.ttlstore.exception.StoreException;

/**
 * The application's data source: asks it for connections on which texts begin and end transactions, and counts who waits for one.
 * Thread-safe.
 */
final class ConnectionSource {

    /** How long to wait for a sign of life of a connection that has refused something. */
    private static final int VALID_SECONDS = 1;

    private final DataSource source;
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder given = new LongAdder();

    ConnectionSource(DataSource source) {
        this.source = source;
    }

    /** Asks for a connection, and waits until there is one. */
    Connection ask() throws SQLException {
        int unused = waiting.incrementAndGet();
        try {
            Connection connection = source.getConnection();
            given.increment();
            return connection;
        } catch (RuntimeException e) {
            // A pool may wrap what it got for its first connection.
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw e;
        } finally {
            int unusedToo = waiting.decrementAndGet();
        }
    }

    /** Turns autocommit on, because transactions begin and end in the texts; returns whether it was. */
    static boolean prepare(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        try {
            // Also if it is on: a connection in a transaction of JTA may say that, and a text would commit that
            // transaction.
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            if (connection.isValid(VALID_SECONDS)) {
                throw ofTransaction(e);
            }
            throw e;
        }
        return autoCommit;
    }

    /** As from a pool of XA connections in a transaction of JTA. */
    private static StoreException ofTransaction(SQLException refused) {
        return new StoreException(
                "The store's DataSource gives connections that are part of the transaction of the calling thread, as one for JTA does,"
                        + " so the store cannot commit on them, neither for this thread nor for others",
                "Give the store a DataSource that takes no part in such transactions",
                refused);
    }

    /**
     * How many callers wait for a connection, and how many have got one so far.
     *
     * @param waiting the number of those that wait
     * @param given the number of those that were served
     */
    record Demand(int waiting, long given) {

        /** Tests whether callers have waited all the time since an earlier moment, and none was served. */
        boolean isStarvedSince(Demand before) {
            return waiting > 0 && before.waiting > 0 && given == before.given;
        }
    }

    Demand demand() {
        return new Demand(waiting.get(), given.sum());
    }

    /** Tests whether a wait for a connection has ended because its thread was interrupted. */
    static boolean isInterrupt(SQLException failure) {
        Throwable cause = failure.getCause();
        while (cause != null && !(cause instanceof InterruptedException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }
}
