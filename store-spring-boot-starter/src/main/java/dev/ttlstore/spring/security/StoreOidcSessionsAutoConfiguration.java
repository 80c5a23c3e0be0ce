package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.List;

import org.springframework.beans.factory.BeanFactory;
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
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.io.ResourceLoader;
import org.springframework.security.oauth2.client.oidc.server.session.ReactiveOidcSessionRegistry;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.ApplicationClasses;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.session.JsonAttributes;

import tools.jackson.databind.json.JsonMapper;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for Spring Security's registry of logins at OpenID providers in the store. Spring Security finds
 * it for {@code oidcLogout}. It backs off if the application declares a registry.
 *
 * @since 0.1
 * @see StoreOidcSessionRegistry
 * @see StoreReactiveOidcSessionRegistry
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.oidc-sessions.enabled")
@ConditionalOnClass({OidcSessionRegistry.class, JsonMapper.class})
@ConditionalOnBean(Store.class)
@ImportRuntimeHints(AuthorizationHints.class)
@EnableConfigurationProperties(StoreOidcSessionsProperties.class)
public final class StoreOidcSessionsAutoConfiguration {

    private static final String SECTION = "store.oidc-sessions.";

    StoreOidcSessionsAutoConfiguration() {}

    /** For applications with servlets. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(NotReactive.class)
    @ConditionalOnMissingBean(OidcSessionRegistry.class)
    static class Servlet {

        @Bean
        StoreOidcSessionRegistry ttlStoreOidcSessionRegistry(
                Store store, StoreOidcSessionsProperties properties, BeanFactory beans, ResourceLoader loader) {
            return new StoreOidcSessionRegistry(store, ttl(properties), users(properties, beans, loader));
        }
    }

    /** For reactive applications. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnMissingBean(ReactiveOidcSessionRegistry.class)
    static class Reactive {

        @Bean
        StoreReactiveOidcSessionRegistry ttlStoreReactiveOidcSessionRegistry(
                Store store, StoreOidcSessionsProperties properties, BeanFactory beans, ResourceLoader loader) {
            return new StoreReactiveOidcSessionRegistry(store, ttl(properties), users(properties, beans, loader));
        }
    }

    private static Duration ttl(StoreOidcSessionsProperties properties) {
        set(SECTION + "ttl", properties.ttl(), OidcSessions::requirePositive);
        return properties.ttl();
    }

    private static Codec<Object> users(
            StoreOidcSessionsProperties properties, BeanFactory beans, ResourceLoader loader) {
        String property = SECTION + "allowed-classes";
        return new JsonAttributes(
                ApplicationClasses.allowed(property, properties.allowedClasses(), List.of(), beans),
                property,
                loader.getClassLoader());
    }
}
