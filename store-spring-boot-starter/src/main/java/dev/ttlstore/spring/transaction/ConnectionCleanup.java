package dev.ttlstore.spring.transaction;

import java.sql.Connection;
import java.sql.SQLException;

import dev.ttlstore.exception.StoreException;

/** Ends what is still open on the connection of a transaction when Spring has completed it, and would not end itself. */
final class ConnectionCleanup {

    private ConnectionCleanup() {}

    /**
     * Commits what was written after the commit. Spring's transaction was committed before, but its connection is still there and in
     * use. If the connection is not in a transaction any more, nothing was written since.
     *
     * @param connection the connection
     * @param write writes what is not written yet
     */
    static void commit(Connection connection, Runnable write) {
        try {
            if (!connection.getAutoCommit()) {
                write.run();
                connection.commit();
            }
        } catch (SQLException e) {
            rollBack(connection, e);
            throw new StoreException("What was written to the store after the commit of a transaction is lost", e);
        } catch (Throwable e) { // also a checked exception, from code in a language that does not check
            rollBack(connection, e);
            throw e;
        }
    }

    /** Or what was written before the failure would be committed with the next change of the connection's auto-commit. */
    private static void rollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Rolls back what the store was not asked to write with: another synchronization has thrown one of Spring's transaction exceptions
     * before the commit, and the transaction manager would leave what JDBC has written to be committed.
     */
    static void rollBack(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new StoreException("A transaction that was not committed could not be rolled back", e);
        }
    }
}
