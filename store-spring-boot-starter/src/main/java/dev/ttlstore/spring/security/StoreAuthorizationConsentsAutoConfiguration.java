package dev.ttlstore.spring.security;

import java.time.Duration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for the consents of the users of Spring's authorization server in the store. It backs off if the
 * application declares a service.
 *
 * @since 0.1
 * @see StoreAuthorizationConsentService
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.authorization-consents.enabled")
@ConditionalOnClass(OAuth2AuthorizationConsentService.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreAuthorizationConsentsProperties.class)
public final class StoreAuthorizationConsentsAutoConfiguration {

    StoreAuthorizationConsentsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(OAuth2AuthorizationConsentService.class)
    StoreAuthorizationConsentService ttlStoreAuthorizationConsentService(
            Store store, StoreAuthorizationConsentsProperties properties) {
        Duration ttl = properties.ttl();
        set("store.authorization-consents.ttl", ttl, StoreAuthorizationConsentService::expiry);
        return new StoreAuthorizationConsentService(store, ttl);
    }
}
