package dev.ttlstore.spring.ratelimit;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Bucket4j's buckets in the store.
 *
 * @param enabled Whether to offer a ProxyManager and an AsyncProxyManager for Bucket4j's buckets in the store.
 * @since 0.1
 * @see StoreProxyManager
 */
@ConfigurationProperties("store.rate-limits")
public record StoreRateLimitsProperties(
        @DefaultValue("false") boolean enabled) {}
