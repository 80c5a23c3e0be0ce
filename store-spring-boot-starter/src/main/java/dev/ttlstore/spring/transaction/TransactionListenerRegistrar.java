package dev.ttlstore.spring.transaction;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

import dev.ttlstore.transaction.ApplicationTransactions;

/**
 * Has each transaction manager, also those of child contexts, tell a store on PostgreSQL when a transaction begins and
 * commits.
 *
 * @since 0.1
 * @see SpringTransactions
 */
public final class TransactionListenerRegistrar
        implements BeanPostProcessor, ApplicationListener<ContextRefreshedEvent> {

    private final TransactionExecutionListener listener;
    private final boolean isShared;

    /**
     * Creates the registrar.
     *
     * @param transactions returns the transactions in which the store takes part, or null if in none; not called before
     *     the first transaction begins
     * @param isShared whether the store is on PostgreSQL; otherwise it observes no transaction manager
     */
    public TransactionListenerRegistrar(
            Supplier<? extends @Nullable ApplicationTransactions> transactions, boolean isShared) {
        this.listener = new Listener(transactions);
        this.isShared = isShared;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (isShared && bean instanceof ConfigurableTransactionManager manager) {
            observe(manager);
        }
        return bean;
    }

    /** Observes the managers of a child context, which does not apply the post-processors of its parent. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (isShared && event.getApplicationContext() instanceof ConfigurableApplicationContext context) {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            beans.addBeanPostProcessor(this); // for managers that are created lazily
            for (String name : beans.getBeanNamesForType(ConfigurableTransactionManager.class, false, false)) {
                if (beans.getSingleton(name) instanceof ConfigurableTransactionManager manager) {
                    observe(manager);
                }
            }
        }
    }

    private void observe(ConfigurableTransactionManager manager) {
        if (!manager.getTransactionExecutionListeners().contains(listener)) {
            manager.addListener(listener);
        }
    }

    private static final class Listener implements TransactionExecutionListener {
        private final Supplier<? extends @Nullable ApplicationTransactions> transactions;
        private volatile boolean hasBegun;

        private Listener(Supplier<? extends @Nullable ApplicationTransactions> transactions) {
            this.transactions = transactions;
        }

        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            hasBegun = true;
            if (transactions.get() instanceof SpringTransactions ofSpring) {
                ofSpring.afterBegin(transaction, failure);
            }
        }

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            if (hasBegun && transactions.get() instanceof SpringTransactions ofSpring) {
                ofSpring.beforeCommit(transaction);
            }
        }
    }
}
