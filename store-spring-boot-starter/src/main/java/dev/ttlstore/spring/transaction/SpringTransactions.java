package dev.ttlstore.spring.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.ApplicationTransactions;
import dev.ttlstore.transaction.TransactionParticipant;

import static java.util.Objects.requireNonNull;

/**
 * Tells a store on PostgreSQL which of Spring's transactions a thread is in: those on the store's {@code DataSource}, whether a
 * {@code DataSourceTransactionManager} or a {@code JpaTransactionManager} has begun them. The auto-configured store has one; an
 * application that opens a store itself passes one to {@link dev.ttlstore.postgresql.PostgreSql#joining}. Thread-safe.
 */
public final class SpringTransactions implements ApplicationTransactions {

    private final DataSource source;

    /**
     * Observes the transactions on a data source.
     *
     * @param source the data source of the store and of the transaction manager
     */
    public SpringTransactions(DataSource source) {
        this.source = Objects.requireNonNull(source, "'source' must not be null");
    }

    @Override
    public @Nullable ApplicationTransaction current() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return null;
        }
        Joined joined = (Joined) TransactionSynchronizationManager.getResource(this);
        if (joined == null && isInTransaction()) {
            joined = new Joined();
            joined.begin();
        }
        return joined == null || joined.completing ? null : joined;
    }

    /** Tests whether the transaction is on this data source, and not only beside a connection that commits each statement. */
    private boolean isInTransaction() {
        if (!(TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder)
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        try {
            return !holder.getConnection().getAutoCommit();
        } catch (SQLException e) {
            throw new IllegalStateException("The connection of the transaction cannot be used", e);
        }
    }

    /**
     * Tests whether a synchronization is called before a commit, perhaps that of an outer transaction. Spring does not call those
     * that are added meanwhile, and tells nobody about it but the stack.
     */
    private static boolean isBeforeCommit() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("triggerBeforeCommit")
                        && frame.getClassName().equals(TransactionSynchronizationUtils.class.getName())));
    }

    /** A transaction in which the store was used. Bound to the thread as a resource for as long as the transaction is. */
    private final class Joined implements ApplicationTransaction, TransactionSynchronization {
        private final boolean readOnly = TransactionSynchronizationManager.isCurrentTransactionReadOnly();
        private @Nullable TransactionParticipant participant;
        private @Nullable Connection connection;

        /** Whether the transaction ends. What listeners do after the commit is no longer part of it. */
        private boolean completing;

        private void begin() {
            TransactionSynchronizationManager.registerSynchronization(this);
            TransactionSynchronizationManager.bindResource(SpringTransactions.this, this);
        }

        @Override
        public Connection connection() {
            Connection used = connection;
            if (used == null) {
                used = DataSourceUtils.getConnection(source);
                connection = used;
            }
            return used;
        }

        @Override
        public boolean isReadOnly() {
            return readOnly;
        }

        @Override
        public void limit(Statement statement) throws SQLException {
            DataSourceUtils.applyTransactionTimeout(statement, source);
        }

        @Override
        public @Nullable TransactionParticipant participant() {
            return participant;
        }

        @Override
        public void join(TransactionParticipant joining) {
            participant = joining;
            if (isBeforeCommit()) {
                joining.beforeCommit(); // so that it writes at once
            }
        }

        /** After other synchronizations, which may write to the store in their turn. */
        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }

        @Override
        public void suspend() {
            Object unused = TransactionSynchronizationManager.unbindResource(SpringTransactions.this);
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(SpringTransactions.this, this);
        }

        @Override
        public void savepoint(Object savepoint) {
            if (participant != null) {
                participant.savepoint(savepoint);
            }
        }

        @Override
        public void savepointRollback(Object savepoint) {
            if (participant != null) {
                participant.rolledBackTo(savepoint);
            }
        }

        @Override
        public void beforeCommit(boolean readOnlyHint) {
            if (participant != null) {
                participant.beforeCommit();
            }
        }

        @Override
        public void beforeCompletion() {
            completing = true;
            release();
        }

        private void release() {
            if (connection != null) {
                DataSourceUtils.releaseConnection(connection, source);
                connection = null;
            }
        }

        @Override
        public void afterCompletion(int status) {
            Object unused = TransactionSynchronizationManager.unbindResourceIfPossible(SpringTransactions.this);
            TransactionParticipant ended = requireNonNull(participant, "joined without a participant");
            boolean committed = status != STATUS_ROLLED_BACK;
            try {
                if (committed && !completing) {
                    committed = false;
                    commitLate(ended);
                    committed = true;
                }
            } finally {
                ended.ended(committed);
            }
        }

        /**
         * Commits what was written in {@link TransactionSynchronization#afterCommit}. Spring's transaction was committed before, but
         * its connection is still there and in use.
         */
        private void commitLate(TransactionParticipant late) {
            try {
                late.beforeCommit();
                connection().commit();
            } catch (SQLException e) {
                throw new StoreException("What was written to the store after the commit of a transaction is lost", e);
            } finally {
                release();
            }
        }
    }
}
