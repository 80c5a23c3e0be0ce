package dev.ttlstore.spring.security;

import java.security.Principal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2DeviceCode;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.OAuth2UserCode;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;

/** Authorizations as the authorization server makes them. */
final class Authorizations {

    static final RegisteredClient CLIENT = client("registered-1");

    private Authorizations() {}

    static RegisteredClient client(String id) {
        return RegisteredClient.withId(id)
                .clientId("client of " + id)
                .clientSecret("{noop}secret")
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri("https://client.example/callback")
                .scope("read")
                .build();
    }

    /** Returns an authorization without a token, as of a user. */
    static OAuth2Authorization.Builder pending(String id) {
        return OAuth2Authorization.withRegisteredClient(CLIENT)
                .id(id)
                .principalName("ann")
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .authorizedScopes(Set.of("read", "write"))
                .attribute(
                        OAuth2AuthorizationRequest.class.getName(),
                        OAuth2AuthorizationRequest.authorizationCode()
                                .authorizationUri("https://server.example/oauth2/authorize")
                                .clientId(CLIENT.getClientId())
                                .redirectUri("https://client.example/callback")
                                .scopes(Set.of("read"))
                                .state("state of the client")
                                .additionalParameters(Map.of("code_challenge", "challenge"))
                                .build())
                .attribute(
                        Principal.class.getName(),
                        UsernamePasswordAuthenticationToken.authenticated(
                                new User("ann", "", AuthorityUtils.createAuthorityList("ROLE_USER")),
                                null,
                                AuthorityUtils.createAuthorityList("ROLE_USER")));
    }

    static OAuth2Authorization.Builder withState(String id, String state) {
        return pending(id).attribute(OAuth2ParameterNames.STATE, state);
    }

    static OAuth2AuthorizationCode code(String value, Instant now) {
        return new OAuth2AuthorizationCode(value, now, now.plusSeconds(300));
    }

    static OAuth2AccessToken access(String value, Instant now) {
        return new OAuth2AccessToken(
                OAuth2AccessToken.TokenType.BEARER, value, now, now.plusSeconds(300), Set.of("read"));
    }

    static OAuth2RefreshToken refresh(String value, Instant now) {
        return new OAuth2RefreshToken(value, now, now.plusSeconds(3_600));
    }

    static OidcIdToken idToken(String value, Instant now) {
        return new OidcIdToken(value, now, now.plusSeconds(1_800), Map.of("sub", "ann"));
    }

    static OAuth2DeviceCode deviceCode(String value, Instant now) {
        return new OAuth2DeviceCode(value, now, now.plusSeconds(300));
    }

    static OAuth2UserCode userCode(String value, Instant now) {
        return new OAuth2UserCode(value, now, now.plusSeconds(300));
    }

    /** Returns an authorization with a token of each kind, whose values end in the name. */
    static OAuth2Authorization.Builder full(String id, String name, Instant now) {
        Map<String, Object> claims = new HashMap<>();
        claims.put("sub", "ann");
        claims.put("iat", now);
        return withState(id, "state-" + name)
                .token(code("code-" + name, now), metadata -> metadata.put(invalidated(), true))
                .token(
                        access("access-" + name, now),
                        metadata -> metadata.put(OAuth2Authorization.Token.CLAIMS_METADATA_NAME, claims))
                .token(
                        idToken("id-" + name, now),
                        metadata -> metadata.put(
                                OAuth2Authorization.Token.CLAIMS_METADATA_NAME, new HashMap<>(Map.of("sub", "ann"))))
                .token(refresh("refresh-" + name, now))
                .token(userCode("user-" + name, now))
                .token(deviceCode("device-" + name, now));
    }

    private static String invalidated() {
        return OAuth2Authorization.Token.INVALIDATED_METADATA_NAME;
    }
}
