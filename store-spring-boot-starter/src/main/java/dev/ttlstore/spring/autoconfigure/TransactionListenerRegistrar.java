package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

import dev.ttlstore.spring.transaction.SpringTransactions;

/** Has each transaction manager, also those of child contexts, tell a store on PostgreSQL when a transaction begins and commits. */
final class TransactionListenerRegistrar implements BeanPostProcessor, ApplicationListener<ContextRefreshedEvent> {

    private final TransactionExecutionListener listener;
    private final boolean isShared;

    TransactionListenerRegistrar(ObjectProvider<ConfiguredStore> store, Environment environment) {
        this.listener = new Listener(store);
        this.isShared = EngineChoice.in(environment).isShared();
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

        @Override
        public void beforeCommit(TransactionExecution transaction) {
            ConfiguredStore found = store;
            if (found != null && found.transactions() instanceof SpringTransactions ofSpring) {
                ofSpring.beforeCommit(transaction);
            }
        }
    }
}
