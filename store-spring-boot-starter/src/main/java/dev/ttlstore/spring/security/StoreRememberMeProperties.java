package dev.ttlstore.spring.security;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Security's remember-me logins in the store.
 *
 * @param enabled Whether to offer a PersistentTokenRepository for remember-me logins in the store.
 * @param ttl Time to keep a login since it was last used. At least the validity of the application's remember-me
 *     tokens, which is two weeks by default.
 * @since 0.1
 * @see StorePersistentTokenRepository
 */
@ConfigurationProperties("store.remember-me")
public record StoreRememberMeProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("14d") Duration ttl) {}
