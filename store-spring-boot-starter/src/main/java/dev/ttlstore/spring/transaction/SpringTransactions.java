package dev.ttlstore.spring.transaction;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.SimpleConnectionHandle;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.ApplicationTransactions;
import dev.ttlstore.transaction.TransactionParticipant;

import static java.util.Objects.requireNonNull;

/**
 * Tells a store on PostgreSQL which of Spring's transactions a thread is in: those on the store's {@code DataSource}, whether a
 * {@code DataSourceTransactionManager} or a {@code JpaTransactionManager} has begun them. The auto-configured store has one; an
 * application that opens a store itself passes one to {@link dev.ttlstore.postgresql.PostgreSql#joining}, and declares it as a bean
 * or {@linkplain org.springframework.transaction.ConfigurableTransactionManager#addListener adds it} to its transaction manager.
 * Otherwise what a listener writes after a commit holds locks until all listeners have run, unless the transaction has used the
 * store before; and a write in {@code beforeCompletion} that fails is only logged, as Spring does with all that is thrown there.
 * Thread-safe.
 */
public final class SpringTransactions implements ApplicationTransactions, TransactionExecutionListener {

    /** Whether a transaction manager for JDBC has begun a transaction on the connection. Spring shows it to its own classes only. */
    private static final Method IS_ACTIVE =
            requireNonNull(ReflectionUtils.findMethod(ConnectionHolder.class, "isTransactionActive"));

    static {
        ReflectionUtils.makeAccessible(IS_ACTIVE);
    }

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
        ConnectionHolder holder = holder();
        if (holder == null) {
            return null;
        }
        Span span = span(holder, false);
        return span == null || span.isOver() ? null : span.join();
    }

    /** Notes a transaction from its beginning, to know later whether it is over. */
    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        ConnectionHolder holder = failure == null && transaction.isNewTransaction() ? holder() : null;
        if (holder != null) {
            Object unused = span(holder, true);
        }
    }

    /** Has what the store could not write in {@code beforeCompletion} end the commit: what is thrown there Spring only logs. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (TransactionSynchronizationManager.getResource(this) instanceof Span span) {
            span.beforeLastTurn();
        }
    }

    /**
     * Returns the span of the transaction that this thread is in; null if it is over.
     *
     * @param begins whether the transaction begins now
     */
    private @Nullable Span span(ConnectionHolder holder, boolean begins) {
        Span span = (Span) TransactionSynchronizationManager.getResource(this);
        if (span != null && span.holder != holder) {
            // A listener after the completion has begun another transaction, of which synchronizations are not told.
            Object unused = TransactionSynchronizationManager.unbindResource(this);
            span = null;
        }
        if (span == null && TransactionSynchronizationManager.isSynchronizationActive()) {
            span = new Span(holder, begins);
            TransactionSynchronizationManager.registerSynchronization(span);
            TransactionSynchronizationManager.bindResource(this, span);
        }
        return span;
    }

    /**
     * Returns what holds the connection, if a transaction manager has begun a transaction on it. A connection that only stays open
     * beside a transaction of another database has none.
     */
    private @Nullable ConnectionHolder holder() {
        if (!(TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder)
                || holder.getConnectionHandle() == null) {
            return null;
        }
        boolean isPlain = holder.getConnectionHandle() instanceof SimpleConnectionHandle;
        return !isPlain || Boolean.TRUE.equals(ReflectionUtils.invokeMethod(IS_ACTIVE, holder)) ? holder : null;
    }

    /**
     * Tests whether a commit is under way, perhaps that of an outer transaction. Spring does not call synchronizations that are added
     * meanwhile, and tells nobody about it but the stack.
     */
    private static boolean isCommitting() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("processCommit")
                        && frame.getClassName().equals(AbstractPlatformTransactionManager.class.getName())));
    }

    /**
     * How long a transaction lasts. Bound to the thread as a resource for as long as the transaction is. It learns of the end before
     * other synchronizations do: what they write then is no longer part of the transaction.
     */
    private final class Span implements TransactionSynchronization {
        private final ConnectionHolder holder;

        /** Whether it is known from the beginning, so that it learns of everything. */
        private final boolean isWhole;

        private @Nullable Joined joined;
        private boolean committing;
        private boolean completed;

        private Span(ConnectionHolder holder, boolean isWhole) {
            this.holder = holder;
            this.isWhole = isWhole;
        }

        /** Tests whether the commit has begun. Spring does not call {@code beforeCommit} of what is registered from then on. */
        private boolean isLate() {
            return committing || (!isWhole && isCommitting());
        }

        /**
         * Tests whether what is written now is no longer part of the transaction. Hibernate has its connection commit by itself when it
         * has committed. That of JDBC stays in a transaction until all synchronizations have run.
         */
        private boolean isOver() {
            return completed || (joined == null && isLate() && commitsByItself());
        }

        private boolean commitsByItself() {
            try {
                return holder.getConnection().getAutoCommit();
            } catch (SQLException e) {
                throw new StoreException(
                        "The connection of the transaction does not tell whether it commits by itself", e);
            }
        }

        private void beforeLastTurn() {
            Joined present = joined;
            if (present != null && committing) {
                present.write();
            }
        }

        private Joined join() {
            Joined present = joined;
            if (present == null) {
                present = new Joined(this);
                TransactionSynchronizationManager.registerSynchronization(present);
                joined = present;
            }
            return present;
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
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
        public void beforeCommit(boolean readOnly) {
            committing = true;
        }

        @Override
        public void afterCommit() {
            completed = true;
            Joined ended = joined;
            if (ended != null && (isWhole || ended.flushed)) {
                ended.end(true); // so that listeners after the commit find what was committed
            }
        }

        @Override
        public void afterCompletion(int status) {
            completed = true;
            if (TransactionSynchronizationManager.getResource(SpringTransactions.this) == this) {
                Object unused = TransactionSynchronizationManager.unbindResource(SpringTransactions.this);
            }
        }
    }

    /** A transaction in which the store was used. */
    private final class Joined implements ApplicationTransaction, TransactionSynchronization {
        private final Span span;
        private final boolean readOnly = TransactionSynchronizationManager.isCurrentTransactionReadOnly();
        private @Nullable TransactionParticipant participant;
        private @Nullable Connection connection;

        /** Why the transaction, whose commit has begun, must be rolled back. Spring would commit it, and then say that it was not. */
        private @Nullable StoreException timedOut;

        /** Whether Spring has called it before the commit. */
        private boolean flushed;

        private boolean ended;

        private Joined(Span span) {
            this.span = span;
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
                if (!span.isLate()) {
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
            if (span.isLate()) {
                write(); // at once
            }
        }

        /** After other synchronizations, which may write to the store in their turn. */
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
            flushed = true;
            write();
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
                    flush(writing);
                }
            } catch (TransactionException e) {
                throw failed(e);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) { // from code in a language that does not check
                throw failed(e);
            }
        }

        private static void flush(TransactionParticipant participant) {
            try {
                participant.beforeCommit();
            } catch (TransactionConflictException e) {
                throw ConflictTranslator.translated(e);
            }
        }

        private static StoreException failed(Exception cause) {
            return new StoreException(
                    "The transaction must be rolled back, because the store could not write in it: "
                            + cause.getMessage(),
                    cause);
        }

        private void release() {
            if (connection != null) {
                DataSourceUtils.releaseConnection(connection, source);
                connection = null;
            }
        }

        /** Ends the participation, unless that was done. */
        private void end(boolean committed) {
            if (participant != null && !ended) {
                ended = true;
                participant.ended(committed);
            }
        }

        @Override
        public void afterCompletion(int status) {
            boolean committed = status != STATUS_ROLLED_BACK;
            try {
                if (committed && !flushed && !ended && participant != null) {
                    committed = false;
                    if (status == STATUS_COMMITTED) {
                        commitLate(participant);
                        committed = true;
                    } else {
                        rollBackUnasked();
                    }
                }
            } finally {
                release();
                end(committed);
            }
        }

        /**
         * Commits what was written in {@link TransactionSynchronization#afterCommit}. Spring's transaction was committed before, but
         * its connection is still there and in use. If the connection is not in a transaction any more, nothing was written since.
         */
        private void commitLate(TransactionParticipant late) {
            try {
                if (!connection().getAutoCommit()) {
                    flush(late);
                    connection().commit();
                }
            } catch (SQLException e) {
                rollBack(e);
                throw new StoreException("What was written to the store after the commit of a transaction is lost", e);
            } catch (Throwable e) { // also a checked exception, from code in a language that does not check
                rollBack(e);
                throw e;
            }
        }

        /**
         * Rolls back what the store was not asked to write with: another synchronization has thrown one of Spring's transaction
         * exceptions before the commit, and the transaction manager would leave what JDBC has written to be committed.
         */
        private void rollBackUnasked() {
            try {
                connection().rollback();
            } catch (SQLException e) {
                throw new StoreException("A transaction that was not committed could not be rolled back", e);
            }
        }

        /** Or what was written before the failure would be committed with the next change of the connection's auto-commit. */
        private void rollBack(Throwable failure) {
            try {
                connection().rollback();
            } catch (SQLException | RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
