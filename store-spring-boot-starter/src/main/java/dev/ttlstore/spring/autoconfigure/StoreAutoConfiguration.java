package dev.ttlstore.spring.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

import dev.ttlstore.CodecFactory;
import dev.ttlstore.Store;
import dev.ttlstore.spring.json.StoreJacksonAutoConfiguration;
import dev.ttlstore.spring.transaction.ConflictTranslator;
import dev.ttlstore.spring.transaction.TransactionListenerRegistrar;

/**
 * Auto-configuration for the {@link Store}. It backs off if the application declares one. The store opens its file
 * itself, or uses the application's {@code DataSource} with {@code store.engine=postgresql}. It publishes no
 * {@code DataSource}, so it does not affect the application's.
 *
 * @since 0.1
 * @see StoreProperties
 * @see StoreBuilderCustomizer
 * @see StoreDataSource
 */
@AutoConfiguration(
        after = StoreJacksonAutoConfiguration.class,
        afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@EnableConfigurationProperties(StoreProperties.class)
@ImportRuntimeHints(PropertyRecords.class)
@Import({ConfiguredStore.class, StoreDataSources.class})
public final class StoreAutoConfiguration {

    /** The name of the store's bean. Beans of an application are unlikely to have it. */
    static final String STORE = "ttlStore";

    /** The name of the bean that copies the store. */
    static final String COPY = "ttlStoreCopy";

    StoreAutoConfiguration() {}

    @Bean
    static IntervalConverter ttlStoreIntervalConverter() {
        return new IntervalConverter();
    }

    @Bean
    static StorePreloading ttlStorePreloading(Environment environment) {
        return new StorePreloading(environment);
    }

    @Bean
    static PropertyCheck ttlStorePropertyCheck(Environment environment) {
        return new PropertyCheck(environment);
    }

    @Bean
    static ForeignVariables ttlStoreOthersInEnvironment(Environment environment) {
        return new ForeignVariables(environment);
    }

    @Bean
    static AdapterNotice ttlStoreAdapterNotice() {
        return new AdapterNotice();
    }

    @Bean(STORE)
    @ConditionalOnMissingBean
    Store ttlStore(
            StoreProperties properties,
            ConfiguredStore configured,
            ObjectProvider<CodecFactory> codecs,
            ObjectProvider<StoreBuilderCustomizer> customizers) {
        IntervalConverter.require(StoreProperties.PURGE_INTERVAL, properties.purgeInterval());
        DeclaredScopes scopes = DeclaredScopes.of(properties.scopes());
        Store store = configured.open(builder -> {
            codecs.ifAvailable(builder::codecs); // of several, only a primary one
            customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        });
        scopes.applyTo(store);
        configured.opened(store, STORE);
        return store;
    }

    /** For a store that takes part in transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {
                "org.springframework.transaction.ConfigurableTransactionManager",
                "org.springframework.jdbc.datasource.ConnectionHolder"
            })
    static class Transactions {

        @Bean
        static TransactionListenerRegistrar ttlStoreTransactionListenerRegistrar(
                ObjectProvider<ConfiguredStore> store, Environment environment) {
            SingletonSupplier<ConfiguredStore> configured = SingletonSupplier.of(store::getObject);
            return new TransactionListenerRegistrar(
                    () -> configured.obtain().transactions(),
                    EngineChoice.in(environment).isShared());
        }

        @Bean(defaultCandidate = false)
        static ConflictTranslator ttlStoreConflictTranslator() {
            return new ConflictTranslator();
        }
    }

    /** Created only if the command line asks for it. */
    @Bean(COPY)
    @Lazy
    StoreCopyCommand ttlStoreCopy(
            StoreProperties properties, ConfiguredStore configured, ConfigurableListableBeanFactory beans) {
        return new StoreCopyCommand(properties, configured, beans);
    }
}
