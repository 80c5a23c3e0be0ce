package dev.ttlstore.spring.lock;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for Spring Integration's locks in the store. It backs off if the application declares a lock
 * registry.
 *
 * @since 0.1
 * @see StoreLockRegistry
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.lock-registry.enabled")
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreLockRegistryProperties.class)
public final class StoreLockRegistryAutoConfiguration {

    StoreLockRegistryAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    StoreLockRegistry ttlStoreLockRegistry(Store store, StoreLockRegistryProperties properties) {
        set("store.lock-registry.ttl", properties.ttl(), ttl -> new StoreLockRegistry(store, ttl));
        StoreLockRegistry registry = new StoreLockRegistry(store, properties.ttl());
        if (properties.renew()) {
            registry.renewAutomatically();
        }
        return registry;
    }
}
