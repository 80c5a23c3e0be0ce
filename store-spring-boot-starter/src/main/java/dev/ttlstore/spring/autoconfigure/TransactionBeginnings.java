package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.Environment;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

import dev.ttlstore.spring.transaction.SpringTransactions;

/** Has each transaction manager tell a store on PostgreSQL when a transaction begins. */
final class TransactionBeginnings implements BeanPostProcessor {

    private final TransactionExecutionListener listener;
    private final boolean isShared;

    TransactionBeginnings(ObjectProvider<ConfiguredStore> store, Environment environment) {
        this.listener = new Listener(store);
        this.isShared = EngineChoice.in(environment).isShared();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (isShared && bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(listener);
        }
        return bean;
    }

    private static final class Listener implements TransactionExecutionListener {
        private final ObjectProvider<ConfiguredStore> provider;
        private volatile @Nullable ConfiguredStore store;

        private Listener(ObjectProvider<ConfiguredStore> provider) {
            this.provider = provider;
        }

        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
            ConfiguredStore found = store;
            if (found == null) {
                found = provider.getObject();
                store = found;
            }
            if (found.transactions() instanceof SpringTransactions ofSpring) {
                ofSpring.afterBegin(transaction, failure);
            }
        }
    }
}
