package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

import dev.ttlstore.spring.transaction.SpringTransactions;

/**
 * Tells the store of each transaction when it begins. Spring Boot adds it to the transaction managers that it configures, and this
 * object to the others.
 */
final class TransactionBeginnings implements TransactionExecutionListener, SmartInitializingSingleton {

    private final ConfiguredStore store;
    private final ListableBeanFactory beans;

    TransactionBeginnings(ConfiguredStore store, ListableBeanFactory beans) {
        this.store = store;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (store.transactions() != null) {
            beans.getBeansOfType(ConfigurableTransactionManager.class, true, false).values().stream()
                    .filter(manager ->
                            !manager.getTransactionExecutionListeners().contains(this))
                    .forEach(manager -> manager.addListener(this));
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (store.transactions() instanceof SpringTransactions ofSpring) {
            ofSpring.afterBegin(transaction, failure);
        }
    }
}
