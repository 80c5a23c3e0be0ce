package dev.ttlstore.spring.transaction;

import java.util.Objects;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes to a store after the commit of the application's transaction. Use it for a store in a file, which cannot take
 * part in transactions of a database. If the transaction is rolled back, nothing is written.
 *
 * <pre>{@code
 * @Transactional
 * void register(JdbcClient database, String name, String code) {
 *     database.sql("insert into users (name) values (?)").param(name).update();
 *     AfterCommit.run(() -> store.group("invitations").put(code, name, Duration.ofDays(3)));
 * }
 * }</pre>
 *
 * <p>The write can be lost: if the application ends between the commit and the write, or if the write fails, the
 * database has the commit, but the store does not have the write. A store on PostgreSQL does not need this class,
 * because it takes part in the transaction.
 *
 * @since 0.1
 * @see SpringTransactions
 */
public final class AfterCommit {

    private AfterCommit() {}

    /**
     * Runs work after the commit of the transaction that this thread is in, or at once if it is in none. Work for a transaction that
     * is rolled back never runs.
     *
     * @param work the work. If it throws, the caller that commits gets the exception, although the transaction is committed, and later work
     *     does not run. Exceptions of work that was added after the commit are only logged
     */
    public static void run(Runnable work) {
        Objects.requireNonNull(work, "'work' must not be null");
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            work.run();
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new Work(work));
    }

    /** Runs work once. */
    private static final class Work implements TransactionSynchronization {
        private final Runnable work;
        private boolean done;

        private Work(Runnable work) {
            this.work = work;
        }

        @Override
        public void afterCommit() {
            done = true;
            work.run();
        }

        /** Spring does not call the other method for work that is added after the commit. */
        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED && !done) {
                work.run();
            }
        }
    }
}
