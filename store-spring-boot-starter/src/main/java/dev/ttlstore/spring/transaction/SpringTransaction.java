package dev.ttlstore.spring.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.TransactionParticipant;

/**
 * One of Spring's transactions on the store's data source. Bound to its thread as a resource until it ends. Spring calls it {@link First}
 * of all synchronizations and, once the store was used in it, also {@link Last}. Used by the thread that is in it.
 *
 * <p>The words: a store <i>takes part</i> in a <i>transaction of the application</i> once it is used in it. It <i>joins</i> with a
 * <i>participant</i>, which Spring's <i>synchronizations</i> call in the <i>phases</i> of the transaction. Other uses are <i>outside</i>.
 */
final class SpringTransaction implements ApplicationTransaction {

    private final Object key;
    private final DataSource source;
    private final ConnectionHolder holder;

    /** Whether it is known from its beginning, and so whether its commit has begun. */
    private final boolean isWhole;

    private final boolean readOnly = TransactionSynchronizationManager.isCurrentTransactionReadOnly();

    /** Null until the store is used. */
    private @Nullable Last last;

    private boolean isLastRegistered;
    private @Nullable TransactionParticipant participant;
    private @Nullable Connection connection;

    /** Why the transaction, whose commit has begun, must be rolled back. Spring would commit it, and then say that it was not. */
    private @Nullable StoreException timedOut;

    private boolean isSuspended;
    private boolean isCommitting;
    private boolean isCompleted;

    /** Whether the participant has learnt of the end. */
    private boolean isEnded;

    private SpringTransaction(Object key, DataSource source, ConnectionHolder holder, boolean isWhole) {
        this.key = key;
        this.source = source;
        this.holder = holder;
        this.isWhole = isWhole;
    }

    /**
     * Binds a transaction to its thread.
     *
     * @param key under which it is bound
     * @param source the data source
     * @param holder what holds its connection
     * @param isWhole whether it begins now
     */
    static SpringTransaction begin(Object key, DataSource source, ConnectionHolder holder, boolean isWhole) {
        SpringTransaction begun = new SpringTransaction(key, source, holder, isWhole);
        TransactionSynchronizationManager.registerSynchronization(begun.new First());
        begun.bind();
        return begun;
    }

    /** Takes the place of a suspended transaction, or of one that has ended too late for synchronizations to see this one. */
    private void bind() {
        Object unused = TransactionSynchronizationManager.unbindResourceIfPossible(key);
        TransactionSynchronizationManager.bindResource(key, this);
    }

    boolean isOn(ConnectionHolder other) {
        return holder == other;
    }

    /** Has it called last as well, once its synchronizations are those of the thread. */
    SpringTransaction used() {
        if (last == null) {
            last = new Last();
            registerLast();
        }
        return this;
    }

    private void registerLast() {
        if (last != null && !isLastRegistered && !isSuspended) {
            isLastRegistered = true;
            TransactionSynchronizationManager.registerSynchronization(last);
        }
    }

    /** Tests whether the commit has begun, or may have: Spring does not call {@code beforeCommit} of what is registered from then on. */
    private boolean mayBeCommitting() {
        return isCommitting || !isWhole;
    }

    /**
     * Tests whether what is written now is no longer part of the transaction. Hibernate has its connection commit by itself when it
     * has committed. That of JDBC stays in a transaction until all synchronizations have run.
     */
    boolean isOver() {
        return isCompleted || (last == null && mayBeCommitting() && commitsByItself());
    }

    private boolean commitsByItself() {
        try {
            return holder.getConnection().getAutoCommit();
        } catch (SQLException e) {
            throw new StoreException("The connection of the transaction does not tell whether it commits by itself", e);
        }
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
        try {
            DataSourceUtils.applyTransactionTimeout(statement, source);
        } catch (TransactionException e) {
            if (!mayBeCommitting()) {
                throw e;
            }
            timedOut = failed(e);
            throw timedOut;
        }
    }

    @Override
    public @Nullable TransactionParticipant participant() {
        return participant;
    }

    @Override
    public void join(TransactionParticipant joining) {
        participant = joining;
        if (mayBeCommitting()) {
            write(); // at once
        }
    }

    /** Writes what was written after synchronizations were called before the commit. */
    void beforeEnd() {
        if (isCommitting && participant != null) {
            write();
        }
    }

    /**
     * Has the store write, or the transaction roll back. Before a commit, a transaction manager takes one of Spring's transaction
     * exceptions for the failure of the commit itself, and does not expect a checked exception at all: it would not roll back, and
     * what JDBC has written would be committed with the next change of the connection's auto-commit.
     */
    private void write() {
        TransactionParticipant writing = participant;
        if (timedOut != null) {
            throw timedOut;
        }
        try {
            if (writing != null) {
                send(writing);
            }
        } catch (TransactionException e) {
            throw failed(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) { // from code in a language that does not check
            throw failed(e);
        }
    }

    private static void send(TransactionParticipant participant) {
        try {
            participant.beforeCommit();
        } catch (TransactionConflictException e) {
            throw ConflictTranslator.translated(e);
        }
    }

    private static StoreException failed(Exception cause) {
        return new StoreException(
                "The transaction must be rolled back, because the store could not write in it: " + cause.getMessage(),
                cause);
    }

    /** Ends the participation, unless that was done. */
    private void end(boolean committed) {
        if (participant != null && !isEnded) {
            isEnded = true;
            participant.ended(committed);
        }
    }

    private void release() {
        if (connection != null) {
            DataSourceUtils.releaseConnection(connection, source);
            connection = null;
        }
    }

    /** Called before other synchronizations: what they write after the end is no longer part of the transaction. */
    private final class First implements TransactionSynchronization {

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        /** Stays bound: within one of another database, JDBC goes on with the connection of this one. */
        @Override
        public void suspend() {
            isSuspended = true;
        }

        @Override
        public void resume() {
            isSuspended = false;
            bind();
            registerLast();
        }

        @Override
        public void beforeCommit(boolean readOnlyHint) {
            isCommitting = true;
        }

        @Override
        public void afterCommit() {
            isCompleted = true;
            if (isWhole || (last != null && last.wasCalled)) {
                end(true); // so that listeners after the commit find what was committed
            }
        }

        @Override
        public void afterCompletion(int status) {
            isCompleted = true;
            if (TransactionSynchronizationManager.getResource(key) == SpringTransaction.this) {
                Object unused = TransactionSynchronizationManager.unbindResource(key);
            }
        }
    }

    /** Called after other synchronizations, which may write to the store in their turn. */
    private final class Last implements TransactionSynchronization {

        /** Whether Spring has called it before the commit. */
        private boolean wasCalled;

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
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
            wasCalled = true;
            write();
        }

        @Override
        public void afterCompletion(int status) {
            boolean committed = status != STATUS_ROLLED_BACK;
            try {
                if (committed && !wasCalled && !isEnded && participant != null) {
                    committed = false;
                    if (status == STATUS_COMMITTED) {
                        TransactionParticipant late = participant;
                        ConnectionCleanup.commit(connection(), () -> send(late));
                        committed = true;
                    } else {
                        ConnectionCleanup.rollBack(connection());
                    }
                }
            } finally {
                release();
                end(committed);
            }
        }
    }
}
