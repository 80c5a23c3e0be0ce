package dev.ttlstore.spring.security;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionInformation;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry;
import org.springframework.util.Assert;

import dev.ttlstore.Codec;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.session.SessionFollower;

/**
 * Keeps in a store which session belongs to which login at an OpenID provider. So a back-channel logout can reach any
 * instance. An entry ends with its session, if that is in the store as well: it moves when the session gets another
 * id, is renewed while the session is in use, and is removed when the session ends or expires. For other sessions, it
 * lives for the ttl, unless Spring Security removes it.
 *
 * <pre>{@code
 * @Bean
 * StoreOidcSessionRegistry oidcSessions(Store store) { // this class, by which sessions in the store find it
 *     Codec<Object> users = new JsonAttributes(
 *             AllowedClasses.of(List.of()), "app.user-classes", getClass().getClassLoader());
 *     return new StoreOidcSessionRegistry(store, Duration.ofDays(30), users);
 * }
 * }</pre>
 *
 * <p>Entries belong to no transaction of the application. Keys are hashes. Values have the session's id, what a
 * request needs to end it, and the user with the ID token. Thread-safe.
 *
 * @since 0.1
 * @see StoreReactiveOidcSessionRegistry
 * @see StoreOidcSessionsProperties
 */
public final class StoreOidcSessionRegistry implements OidcSessionRegistry, SessionFollower {

    /** The group that holds the logins, by the hash of the session's id. */
    public static final String GROUP = OidcSessions.GROUP;

    private final OidcSessions sessions;

    /**
     * Creates the registry.
     *
     * @param store the store or scope that holds the logins
     * @param ttl how long a login is kept, since it began or since its session was last in use; a session in the store that may be idle
     *     for longer keeps its login longer
     * @param users encodes and decodes the users, such as {@link dev.ttlstore.spring.session.JsonAttributes}
     * @throws IllegalArgumentException if the ttl is not more than zero
     */
    public StoreOidcSessionRegistry(LiveKeyspace store, Duration ttl, Codec<Object> users) {
        this.sessions = new OidcSessions(store, ttl, users);
    }

    /**
     * Stores a login. It replaces that of the same session.
     *
     * @throws CodecException if the user could not be read later
     */
    @Override
    public void saveSessionInformation(OidcSessionInformation info) {
        Assert.notNull(info, "'info' must not be null");
        sessions.save(info);
    }

    /** Removes the login of a session, and returns it; null if there is none, it has expired, or cannot be read. */
    @Override
    @SuppressWarnings("NullAway") // the interface says so in words only
    public @Nullable OidcSessionInformation removeSessionInformation(String clientSessionId) {
        Assert.notNull(clientSessionId, "'clientSessionId' must not be null");
        return sessions.remove(clientSessionId);
    }

    /**
     * Removes the logins that a logout ends: those of the session at the provider, or if it names none, those of the user.
     *
     * @param logoutToken the logout, whose issuer and one of whose audiences must be those of the login
     * @return the logins, in no order; each is returned to one caller only
     */
    @Override
    public Iterable<OidcSessionInformation> removeSessionInformation(OidcLogoutToken logoutToken) {
        Assert.notNull(logoutToken, "'logoutToken' must not be null");
        return sessions.remove(logoutToken);
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
