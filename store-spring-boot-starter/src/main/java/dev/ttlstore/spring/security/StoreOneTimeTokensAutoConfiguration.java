package dev.ttlstore.spring.security;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.ott.OneTimeTokenService;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

/**
 * Auto-configuration for Spring Security's one-time tokens in the store. It backs off if the application declares a
 * service for them.
 *
 * @since 0.1
 * @see StoreOneTimeTokenService
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.one-time-tokens.enabled")
@ConditionalOnClass(OneTimeTokenService.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreOneTimeTokensProperties.class)
public final class StoreOneTimeTokensAutoConfiguration {

    StoreOneTimeTokensAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(OneTimeTokenService.class)
    StoreOneTimeTokenService ttlStoreOneTimeTokenService(Store store, StoreOneTimeTokensProperties properties) {
        return new StoreOneTimeTokenService(store, properties.newestOnly());
    }
}
