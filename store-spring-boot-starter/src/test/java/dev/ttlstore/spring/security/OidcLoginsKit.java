package dev.ttlstore.spring.security;

import java.math.BigInteger;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionInformation;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

import dev.ttlstore.Codec;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.spring.session.JsonAttributes;

import static java.util.Objects.requireNonNull;

/** Logins at a provider and its logouts. */
public final class OidcLoginsKit {

    static final String ISSUER = "https://provider.example";
    static final Instant LOGIN = Instant.parse("2026-01-02T03:04:05Z");

    private OidcLoginsKit() {}

    /** Returns a login of a session of the application: at the provider it is {@code sid}, null if that has none. */
    public static OidcSessionInformation login(String sessionId, String user, @Nullable String sid) {
        return login(
                sessionId, user(token -> token.subject(user).claims(claims -> claims.compute("sid", (k, v) -> sid))));
    }

    public static OidcSessionInformation login(String sessionId, OidcUser user) {
        return new OidcSessionInformation(sessionId, Map.of("X-CSRF-TOKEN", "token of " + sessionId), user);
    }

    public static OidcUser user(Consumer<OidcIdToken.Builder> changes) {
        OidcIdToken.Builder token = OidcIdToken.withTokenValue("secret-id-token")
                .issuer(ISSUER)
                .subject("ann")
                .audience(List.of("client"))
                .issuedAt(LOGIN)
                .expiresAt(LOGIN.plusSeconds(300))
                .authTime(LOGIN.plusNanos(123_456_789))
                .claim("roles", List.of("one", "two"))
                .claim("address", Map.of("country", "CH", "floors", List.of(1L, 2.5, new BigInteger("9".repeat(20)))))
                .claim("realm_access", new LinkedHashMap<>(Map.of("roles", new ArrayList<>(List.of("a", "b")))))
                .claim("age", 42L)
                .claim("home", url(ISSUER))
                .claim("email_verified", true);
        changes.accept(token);
        return new DefaultOidcUser(
                AuthorityUtils.createAuthorityList("ROLE_USER", "SCOPE_openid"),
                token.build(),
                OidcUserInfo.builder().email("ann@example.com").subject("ann").build());
    }

    private static URL url(String text) {
        try {
            return URI.create(text).toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Returns a codec for the users of these logins. */
    public static Codec<Object> users() {
        return new JsonAttributes(AllowedClasses.of(List.of()), "some.property", OidcLoginsKit.class.getClassLoader());
    }

    /** Returns the provider's logout of a user. */
    static OidcLogoutToken.Builder logoutOf(String user) {
        return logout().subject(user);
    }

    /** Returns the provider's logout of a session there. */
    public static OidcLogoutToken.Builder logoutAt(String sid) {
        return logout().sessionId(sid);
    }

    private static OidcLogoutToken.Builder logout() {
        return OidcLogoutToken.withTokenValue("logout")
                .issuer(ISSUER)
                .audience(List.of("client"))
                .issuedAt(LOGIN)
                .jti("id");
    }

    /** What the registries give back has no {@code equals}, and that of its user knows no claims. */
    record Given(String sessionId, Map<String, String> authorities, OidcUser user, List<Object> claims) {

        static Given of(OidcSessionInformation session) {
            OidcUser user = session.getPrincipal();
            return new Given(
                    session.getSessionId(),
                    session.getAuthorities(),
                    user,
                    List.of(
                            user.getIdToken().getTokenValue(),
                            comparable(user.getIdToken().getClaims()),
                            comparable(requireNonNull(user.getUserInfo()).getClaims())));
        }

        /** Two URLs would look for the addresses of their hosts. */
        private static Map<String, Object> comparable(Map<String, Object> claims) {
            Map<String, Object> comparable = new HashMap<>(claims);
            comparable.replaceAll((name, value) -> value instanceof URL url ? "URL " + url : value);
            return comparable;
        }
    }
}
