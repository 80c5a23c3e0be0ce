package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.Optional;

import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.client.oidc.server.session.ReactiveOidcSessionRegistry;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionInformation;
import org.springframework.util.Assert;

import dev.ttlstore.Codec;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.reactive.StoreCalls;
import dev.ttlstore.spring.session.SessionFollower;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps in a store which session of a reactive application belongs to which login at an OpenID provider. Its entries
 * and promises are those of {@link StoreOidcSessionRegistry}. Calls run as {@link StoreCalls} describes. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * StoreReactiveOidcSessionRegistry oidcSessions(Store store) { // this class, by which sessions in the store find it
 *     Codec<Object> users = new JsonAttributes(
 *             AllowedClasses.of(List.of()), "app.user-classes", getClass().getClassLoader());
 *     return new StoreReactiveOidcSessionRegistry(store, Duration.ofDays(30), users);
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreOidcSessionRegistry
 */
public final class StoreReactiveOidcSessionRegistry implements ReactiveOidcSessionRegistry, SessionFollower {

    private final OidcSessions sessions;

    /**
     * Creates the registry.
     *
     * @param store the store or scope that holds the logins
     * @param ttl how long a login is kept, since it began or since its session was last in use; a session in the store that may be idle
     *     for longer keeps its login longer
     * @param users encodes and decodes the users
     * @throws IllegalArgumentException if the ttl is not more than zero
     */
    public StoreReactiveOidcSessionRegistry(LiveKeyspace store, Duration ttl, Codec<Object> users) {
        this.sessions = new OidcSessions(store, ttl, users);
    }

    @Override
    public Mono<Void> saveSessionInformation(OidcSessionInformation info) {
        Assert.notNull(info, "'info' must not be null");
        return StoreCalls.run(() -> sessions.save(info));
    }

    @Override
    public Mono<OidcSessionInformation> removeSessionInformation(String clientSessionId) {
        Assert.notNull(clientSessionId, "'clientSessionId' must not be null");
        return StoreCalls.find(() -> Optional.ofNullable(sessions.remove(clientSessionId)));
    }

    @Override
    public Flux<OidcSessionInformation> removeSessionInformation(OidcLogoutToken logoutToken) {
        Assert.notNull(logoutToken, "'logoutToken' must not be null");
        return StoreCalls.get(() -> sessions.remove(logoutToken)).flatMapIterable(removed -> removed);
    }

    @Override
    public void renewed(String id, Duration interval) {
        sessions.renewed(id, interval);
    }

    @Override
    public void moved(String id, String newId) {
        sessions.moved(id, newId);
    }

    @Override
    public void ended(String id) {
        sessions.ended(id);
    }
}
