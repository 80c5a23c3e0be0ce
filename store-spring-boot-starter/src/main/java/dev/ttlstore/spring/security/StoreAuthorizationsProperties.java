package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the authorizations of Spring's authorization server in the store.
 *
 * @param enabled Whether the authorizations of the authorization server are in the store.
 * @param pendingTtl Time to keep an authorization without a token, while the user is asked for consent.
 * @param keepExpired Time to keep an authorization with an ID token or a device code after its last token has expired.
 *     The ID token still serves to log out, and the device learns that its code has expired. Zero keeps none.
 * @param allowedClasses Classes that attributes and claims may contain, in addition to those that Spring Security
 *     allows. Write 'com.example.AppUser' for a class, 'com.example.*' for a package, or 'com.example.**' to include
 *     the packages below.
 * @since 0.1
 * @see StoreAuthorizationService
 */
@ConfigurationProperties("store.authorizations")
public record StoreAuthorizationsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("30m") Duration pendingTtl,
        @DefaultValue("1d") Duration keepExpired,
        @DefaultValue List<String> allowedClasses) {}
