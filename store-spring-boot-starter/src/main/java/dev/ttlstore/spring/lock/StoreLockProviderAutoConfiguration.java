package dev.ttlstore.spring.lock;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import net.javacrumbs.shedlock.core.LockProvider;

/**
 * Auto-configuration for ShedLock's locks in the store. It backs off if the application declares a lock provider.
 *
 * @since 0.1
 * @see StoreLockProvider
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.lock-provider.enabled")
@ConditionalOnClass(LockProvider.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreLockProviderProperties.class)
public final class StoreLockProviderAutoConfiguration {

    StoreLockProviderAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    StoreLockProvider ttlStoreLockProvider(Store store) {
        return new StoreLockProvider(store);
    }
}
