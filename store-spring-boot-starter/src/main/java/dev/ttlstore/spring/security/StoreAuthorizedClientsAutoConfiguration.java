package dev.ttlstore.spring.security;

import java.time.Duration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for Spring Security's authorized clients in the store. It runs before that of Spring Boot, which
 * would keep them in memory. It backs off if the application declares a service.
 *
 * @since 0.1
 * @see StoreAuthorizedClientService
 * @see StoreReactiveAuthorizedClientService
 */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientAutoConfiguration",
            "org.springframework.boot.security.oauth2.client.autoconfigure.reactive.ReactiveOAuth2ClientAutoConfiguration"
        })
@ConditionalOnBooleanProperty("store.authorized-clients.enabled")
@ConditionalOnClass(OAuth2AuthorizedClientService.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreAuthorizedClientsProperties.class)
public final class StoreAuthorizedClientsAutoConfiguration {

    StoreAuthorizedClientsAutoConfiguration() {}

    /** For applications with servlets. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(NotReactive.class)
    @ConditionalOnMissingBean(OAuth2AuthorizedClientService.class)
    static class Servlet {

        @Bean
        StoreAuthorizedClientService ttlStoreAuthorizedClientService(
                Store store, StoreAuthorizedClientsProperties properties, ClientRegistrationRepository registrations) {
            return new StoreAuthorizedClientService(store, registrations, ttl(properties));
        }
    }

    /** For reactive applications. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnMissingBean(ReactiveOAuth2AuthorizedClientService.class)
    static class Reactive {

        @Bean
        StoreReactiveAuthorizedClientService ttlStoreReactiveAuthorizedClientService(
                Store store,
                StoreAuthorizedClientsProperties properties,
                ReactiveClientRegistrationRepository registrations) {
            return new StoreReactiveAuthorizedClientService(store, registrations, ttl(properties));
        }
    }

    private static Duration ttl(StoreAuthorizedClientsProperties properties) {
        set("store.authorized-clients.ttl", properties.ttl(), AuthorizedClients::unknown);
        return properties.ttl();
    }
}
