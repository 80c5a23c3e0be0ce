package dev.ttlstore.spring.security;

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
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

/**
 * Auto-configuration for Spring Security's one-time tokens in the store. It backs off if the application declares a
 * service for them.
 *
 * @since 0.1
 * @see StoreOneTimeTokenService
 * @see StoreReactiveOneTimeTokenService
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.one-time-tokens.enabled")
@ConditionalOnClass(OneTimeTokenService.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreOneTimeTokensProperties.class)
public final class StoreOneTimeTokensAutoConfiguration {

    StoreOneTimeTokensAutoConfiguration() {}

    /** For applications with servlets. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(NotReactive.class)
    @ConditionalOnMissingBean(OneTimeTokenService.class)
    static class Servlet {

        @Bean
        StoreOneTimeTokenService ttlStoreOneTimeTokenService(Store store, StoreOneTimeTokensProperties properties) {
            return new StoreOneTimeTokenService(store, properties.newestOnly());
        }
    }

    /** For reactive applications. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnMissingBean(ReactiveOneTimeTokenService.class)
    static class Reactive {

        @Bean
        StoreReactiveOneTimeTokenService ttlStoreReactiveOneTimeTokenService(
                Store store, StoreOneTimeTokensProperties properties) {
            return new StoreReactiveOneTimeTokenService(store, properties.newestOnly());
        }
    }
}
