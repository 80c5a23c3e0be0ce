package dev.ttlstore.spring.security;

import java.time.Duration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;

import dev.ttlstore.Expiry;
import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for Spring Security's remember-me logins in the store. It backs off if the application declares a
 * repository for them.
 *
 * @since 0.1
 * @see StorePersistentTokenRepository
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.remember-me.enabled")
@ConditionalOnClass(PersistentTokenRepository.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreRememberMeProperties.class)
public final class StoreRememberMeAutoConfiguration {

    StoreRememberMeAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(PersistentTokenRepository.class)
    StorePersistentTokenRepository ttlStorePersistentTokenRepository(
            Store store, StoreRememberMeProperties properties) {
        Duration ttl = properties.ttl();
        set("store.remember-me.ttl", ttl, Expiry::after);
        return new StorePersistentTokenRepository(store, ttl);
    }
}
