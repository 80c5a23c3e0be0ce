package dev.ttlstore.spring.security;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the consents of Spring's authorization server in the store.
 *
 * @param enabled Whether the consents of the authorization server's users are in the store.
 * @param ttl Time to keep a consent since it was last saved. Then the user is asked again. Zero for ever.
 * @since 0.1
 * @see StoreAuthorizationConsentService
 */
@ConfigurationProperties("store.authorization-consents")
public record StoreAuthorizationConsentsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("0s") Duration ttl) {}
