package dev.ttlstore.spring.ratelimit;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.ProxyManager;

/**
 * Auto-configuration for Bucket4j's buckets in the store. It backs off if the application declares a proxy manager. It runs before that
 * of Spring Cloud Gateway, whose rate limiter needs an asynchronous one.
 *
 * @since 0.1
 * @see StoreProxyManager
 */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnBooleanProperty("store.rate-limits.enabled")
@ConditionalOnClass(ProxyManager.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreRateLimitsProperties.class)
public final class StoreRateLimitsAutoConfiguration {

    private static final String BEAN = "ttlStoreProxyManager";

    StoreRateLimitsAutoConfiguration() {}

    @Bean(BEAN)
    @ConditionalOnMissingBean(ProxyManager.class)
    StoreProxyManager<String> ttlStoreProxyManager(Store store) {
        return StoreProxyManager.builderFor(store).build();
    }

    /** Has the same buckets. An application's own proxy manager decides by itself whether it has an asynchronous side. */
    @Bean
    @ConditionalOnBean(name = BEAN)
    @ConditionalOnMissingBean(AsyncProxyManager.class)
    AsyncProxyManager<String> ttlStoreAsyncProxyManager(@Qualifier(BEAN) StoreProxyManager<String> buckets) {
        return buckets.asAsync();
    }
}
