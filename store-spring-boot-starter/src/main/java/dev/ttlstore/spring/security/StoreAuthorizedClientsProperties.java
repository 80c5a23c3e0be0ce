package dev.ttlstore.spring.security;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Security's OAuth2 clients in the store.
 *
 * @param enabled Whether the authorized clients of OAuth2 logins are in the store.
 * @param ttl Time to keep a client since it was last saved, if its tokens have no expiry. Zero for ever.
 * @since 0.1
 * @see StoreAuthorizedClientService
 */
@ConfigurationProperties("store.authorized-clients")
public record StoreAuthorizedClientsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("365d") Duration ttl) {}
