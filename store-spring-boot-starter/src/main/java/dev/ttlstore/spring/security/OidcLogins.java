package dev.ttlstore.spring.security;

import java.net.URL;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.oidc.authentication.logout.LogoutTokenClaimNames;
import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/**
 * Hashes by which a logout finds the logins that it ends. A login has one for its session at the provider and one for its user, with each
 * of its audiences. A logout names the session, or else the user.
 */
final class OidcLogins {

    private static final String SESSION = LogoutTokenClaimNames.SID;
    private static final String USER = LogoutTokenClaimNames.SUB;

    private OidcLogins() {}

    /** Returns the hashes of a login; none if it names no issuer or no audience. */
    static List<String> of(OidcUser user) {
        URL issuer = user.getIssuer();
        String session = user.getClaimAsString(SESSION);
        return Stream.concat(
                        hashes(SESSION, issuer, user.getAudience(), session),
                        hashes(USER, issuer, user.getAudience(), user.getSubject()))
                .toList();
    }

    /** Returns the hashes of the logins that a logout ends: any of them is enough. */
    static List<String> of(OidcLogoutToken token) {
        String session = token.getSessionId();
        Stream<String> hashes = session != null
                ? hashes(SESSION, token.getIssuer(), token.getAudience(), session)
                : hashes(USER, token.getIssuer(), token.getAudience(), token.getSubject());
        return hashes.toList();
    }

    private static Stream<String> hashes(
            String kind, @Nullable URL issuer, @Nullable List<String> audiences, @Nullable String id) {
        if (issuer == null || audiences == null || id == null) {
            return Stream.empty();
        }
        return audiences.stream().distinct().map(audience -> Hash.of(kind, issuer.toString(), audience, id));
    }
}
