package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Security's registry of logins at OpenID providers in the store.
 *
 * @param enabled Whether the registry for back-channel logouts is in the store.
 * @param ttl Time to keep the login of a session since the login, or since the use of a session that is in the store. At
 *     least as long as other sessions can last.
 * @param allowedClasses Classes that a user may contain, in addition to those that Spring Security allows and those in
 *     the packages of the application. Write 'com.example.AppUser' for a class, 'com.example.*' for a package, or
 *     'com.example.**' to include the packages below.
 * @since 0.1
 * @see StoreOidcSessionRegistry
 */
@ConfigurationProperties("store.oidc-sessions")
public record StoreOidcSessionsProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("30d") Duration ttl,
        @DefaultValue List<String> allowedClasses) {}
