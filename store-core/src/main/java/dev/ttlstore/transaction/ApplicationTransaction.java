package dev.ttlstore.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import org.jspecify.annotations.Nullable;

/**
 * A transaction of the application on the store's data source. It calls the store's {@link TransactionParticipant} as
 * late as possible before the commit, at savepoints, and after the commit or rollback. Only the thread of the
 * transaction uses it.
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
     * Returns whether the transaction is read-only.
     *
     * @return whether it is
     */
    boolean isReadOnly();

    /**
     * Limits a statement to the remaining time of the transaction.
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
     * @param participant receives the callbacks from now on
     */
    void join(TransactionParticipant participant);
}
