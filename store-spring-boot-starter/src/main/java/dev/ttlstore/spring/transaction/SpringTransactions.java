package dev.ttlstore.spring.transaction;

import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleConnectionHandle;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.ttlstore.transaction.ApplicationTransaction;
import dev.ttlstore.transaction.ApplicationTransactions;

/**
 * Finds the Spring transaction of a thread for a store on PostgreSQL. It knows the transactions on the store's
 * {@code DataSource} that a {@code DataSourceTransactionManager} or a {@code JpaTransactionManager} began. The
 * auto-configured store has one. An application that opens a store itself declares one as a bean:
 *
 * <pre>{@code
 * @Bean
 * SpringTransactions storeTransactions(DataSource source) {
 *     return new SpringTransactions(source);
 * }
 *
 * @Bean
 * Store store(DataSource source, SpringTransactions transactions) {
 *     return Store.builder().engine(PostgreSql.on(source).joining(transactions)).open();
 * }
 * }</pre>
 *
 * <p>Instead of declaring a bean, the application can
 * {@linkplain org.springframework.transaction.ConfigurableTransactionManager#addListener add it} to its transaction
 * manager. Without either, the store cannot know whether the commit has begun. Then each write to the store locks at
 * once, and not only when the transaction commits. Spring only logs exceptions in {@code beforeCompletion}, so a failed
 * write there does not stop the commit. Thread-safe.
 *
 * @since 0.1
 * @see AfterCommit
 * @see dev.ttlstore.spring.autoconfigure.StoreDataSource
 */
public final class SpringTransactions implements ApplicationTransactions, TransactionExecutionListener {

    private static final TransactionDefinition AS_IT_IS =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_SUPPORTS);

    private final DataSource source;

    /** Asked only whether there is a transaction: a {@code ConnectionHolder} says that to Spring's own managers alone. */
    private final DataSourceTransactionManager manager;

    /**
     * Observes the transactions on a data source.
     *
     * @param source the data source of the store and of the transaction manager
     */
    public SpringTransactions(DataSource source) {
        this.source = Objects.requireNonNull(source, "'source' must not be null");
        this.manager = new DataSourceTransactionManager(source);
        manager.setTransactionSynchronization(DataSourceTransactionManager.SYNCHRONIZATION_NEVER);
    }

    @Override
    public @Nullable ApplicationTransaction current() {
        ConnectionHolder holder = TransactionSynchronizationManager.isActualTransactionActive() ? holder() : null;
        if (holder == null) {
            return null;
        }
        SpringTransaction known = known();
        if (known == null || !known.isOn(holder)) {
            known = begin(holder, false);
        }
        return known == null || known.isOver() ? null : known.used();
    }

    /** Records the beginning of a transaction, to know later whether its commit has begun, and whether it is over. */
    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        ConnectionHolder holder = failure == null && transaction.isNewTransaction() ? holder() : null;
        SpringTransaction known = known();
        if (holder != null && (known == null || !known.isOn(holder))) { // not one of another database within this one
            Object unused = begin(holder, true);
        }
    }

    /** Lets a failed write of the store stop the commit. Spring only logs exceptions that are thrown in {@code beforeCompletion}. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        SpringTransaction known = known();
        if (known != null) {
            known.beforeEnd();
        }
    }

    /** Returns the transaction that this thread is in, or one that is suspended; null if neither is known. */
    private @Nullable SpringTransaction known() {
        return (SpringTransaction) TransactionSynchronizationManager.getResource(this);
    }

    /**
     * Returns a transaction that was not known; null if there is none on the connection.
     *
     * @param isWhole whether it begins now
     */
    private @Nullable SpringTransaction begin(ConnectionHolder holder, boolean isWhole) {
        return TransactionSynchronizationManager.isSynchronizationActive() && isTransactional(holder)
                ? SpringTransaction.begin(this, source, holder, isWhole)
                : null;
    }

    /** Returns what holds the connection that this thread uses; null if none does yet. */
    private @Nullable ConnectionHolder holder() {
        return TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder
                        && holder.getConnectionHandle() != null
                ? holder
                : null;
    }

    /**
     * Tests whether a transaction manager has begun a transaction on the connection that this thread uses. One that only stays open
     * beside a transaction of another database has none. Managers of JPA have handles of their own, and bind them for transactions only.
     */
    private boolean isTransactional(ConnectionHolder holder) {
        return !(holder.getConnectionHandle() instanceof SimpleConnectionHandle)
                || manager.getTransaction(AS_IT_IS).hasTransaction();
    }
}
