package dev.ttlstore.spring.security;

import java.time.Duration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for Spring Security's authorized clients in the store. It runs before that of Spring Boot, which
 * would keep them in memory. It backs off if the application declares a service.
 *
 * @since 0.1
 * @see StoreAuthorizedClientService
 */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        beforeName = "org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientAutoConfiguration")
@ConditionalOnBooleanProperty("store.authorized-clients.enabled")
@ConditionalOnClass(OAuth2AuthorizedClientService.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreAuthorizedClientsProperties.class)
public final class StoreAuthorizedClientsAutoConfiguration {

    StoreAuthorizedClientsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(OAuth2AuthorizedClientService.class)
    StoreAuthorizedClientService ttlStoreAuthorizedClientService(
            Store store, StoreAuthorizedClientsProperties properties, ClientRegistrationRepository registrations) {
        Duration ttl = properties.ttl();
        set(
                "store.authorized-clients.ttl",
                ttl,
                given -> new StoreAuthorizedClientService(store, registrations, given));
        return new StoreAuthorizedClientService(store, registrations, ttl);
    }
}
