package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.ApplicationTransactions;
import dev.ttlstore.transaction.TransactionParticipant;

/** Transactions of an application with plain JDBC, as a framework would manage them. */
final class PlainTransactions implements ApplicationTransactions {

    private final DataSource source;

    @SuppressWarnings("ThreadLocalUsage") // each object has transactions of its own
    private final ThreadLocal<@Nullable Plain> current = new ThreadLocal<>();

    PlainTransactions(DataSource source) {
        this.source = source;
    }

    /** What a transaction does. */
    @FunctionalInterface
    interface Work {
        void run(Plain transaction) throws Exception;
    }

    /** Runs work in a transaction, and commits it; rolls it back if the work throws. */
    void run(Work work) throws Exception {
        run(Connection.TRANSACTION_READ_COMMITTED, false, work);
    }

    void run(int isolation, boolean readOnly, Work work) throws Exception {
        Plain outer = current.get();
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation);
            Plain transaction = new Plain(connection, readOnly);
            current.set(transaction);
            try (transaction) {
                work.run(transaction);
                transaction.commit();
            } finally {
                current.set(outer);
            }
        }
    }

    @Override
    public @Nullable ApplicationTransaction current() {
        return current.get();
    }

    /** A transaction. */
    static final class Plain implements ApplicationTransaction, AutoCloseable {
        private final Connection connection;
        private final boolean readOnly;
        private @Nullable TransactionParticipant participant;
        private boolean committed;

        private Plain(Connection connection, boolean readOnly) {
            this.connection = connection;
            this.readOnly = readOnly;
        }

        /** Runs a statement of the application. */
        void execute(String text) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(text);
            }
        }

        /** Lets the store write what it is to commit, as late as possible. */
        void beforeCommit() {
            if (participant != null) {
                participant.beforeCommit();
            }
        }

        private void commit() throws SQLException {
            beforeCommit();
            connection.commit();
            committed = true;
        }

        /** Rolls back unless it was committed. */
        @Override
        public void close() throws SQLException {
            if (!committed) {
                connection.rollback();
            }
            if (participant != null) {
                participant.ended(committed);
            }
            connection.setAutoCommit(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }

        Savepoint savepoint() throws SQLException {
            Savepoint savepoint = connection.setSavepoint();
            if (participant != null) {
                participant.savepoint(savepoint);
            }
            return savepoint;
        }

        void rollback(Savepoint savepoint) throws SQLException {
            connection.rollback(savepoint);
            if (participant != null) {
                participant.rolledBackTo(savepoint);
            }
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public boolean isReadOnly() {
            return readOnly;
        }

        @Override
        public void limit(Statement statement) {
            // They may take as long as they like.
        }

        @Override
        public @Nullable TransactionParticipant participant() {
            return participant;
        }

        @Override
        public void join(TransactionParticipant joining) {
            participant = joining;
        }
    }
}
