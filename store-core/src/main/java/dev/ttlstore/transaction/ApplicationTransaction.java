package dev.ttlstore.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import org.jspecify.annotations.Nullable;

/**
 * A transaction of the application on the store's data source. It keeps the store's participant and calls it: before the commit,
 * as late as possible; at savepoints; and when the transaction has ended, whichever way. Used by the thread that is in the
 * transaction.
 *
 * @since 0.1
 * @see ApplicationTransactions
 * @see TransactionParticipant
 */
public interface ApplicationTransaction {

    /**
     * Returns the connection that the transaction uses.
     *
     * @return the connection, in the transaction; the store neither closes nor commits it
     * @throws SQLException if there is none
     */
    Connection connection() throws SQLException;

    /**
     * Returns whether the transaction was begun to read only.
     *
     * @return whether it was
     */
    boolean isReadOnly();

    /**
     * Lets a statement run for no longer than the transaction may take.
     *
     * @param statement a statement of the store that is about to run
     * @throws SQLException if that cannot be set
     */
    void limit(Statement statement) throws SQLException;

    /**
     * Returns the participant that the store has {@linkplain #join added}.
     *
     * @return the participant; null if there is none yet
     */
    @Nullable
    TransactionParticipant participant();

    /**
     * Adds the store to the transaction. Called once in each transaction in which the store is used.
     *
     * @param participant to be called from now on
     */
    void join(TransactionParticipant participant);
}
