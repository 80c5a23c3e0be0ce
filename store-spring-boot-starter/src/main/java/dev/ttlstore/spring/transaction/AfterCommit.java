package dev.ttlstore.spring.transaction;

import java.util.Objects;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes to a store after the commit of the application's transaction. For a store in a file, which cannot take part in
 * transactions of a database: so nothing is written for a transaction that is rolled back.
 *
 * <pre>{@code
 * @Transactional
 * void register(User user) {
 *     users.save(user);
 *     AfterCommit.run(() -> invitations.put(user.code(), user.name(), Duration.ofDays(3)));
 * }
 * }</pre>
 *
 * <p>The limit: if the application ends between the commit and the write, or if the write fails, the database has the commit and
 * the store has not the write. A store on PostgreSQL needs none of this, because it takes part in the transaction.
 */
public final class AfterCommit {

    private AfterCommit() {}

    /**
     * Runs work after the commit of the transaction that this thread is in, or at once if it is in none. Work for a transaction that
     * is rolled back never runs.
     *
     * @param work the work. What it throws goes to the caller that has committed, although the transaction is committed by then, and
     *     later work does not run. What work throws that was added after the commit is only logged
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
