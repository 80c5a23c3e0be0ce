package dev.ttlstore.spring.security;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Security's one-time tokens in the store.
 *
 * @param enabled Whether the tokens of 'oneTimeTokenLogin' are in the store.
 * @param newestOnly Whether a newer token of a user ends the older ones.
 * @since 0.1
 * @see StoreOneTimeTokenService
 */
@ConfigurationProperties("store.one-time-tokens")
public record StoreOneTimeTokensProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("false") boolean newestOnly) {}
