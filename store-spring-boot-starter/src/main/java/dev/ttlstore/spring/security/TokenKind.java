package dev.ttlstore.spring.security;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2DeviceCode;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.OAuth2UserCode;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;

/** The kinds of tokens of an authorization that are stored. The name is that of Spring Security's token type. */
enum TokenKind {
    CODE(OAuth2ParameterNames.CODE, OAuth2AuthorizationCode.class) {
        @Override
        OAuth2Token token(StoredToken stored, Map<String, Object> metadata) {
            return new OAuth2AuthorizationCode(stored.value(), issuedAt(stored), expiresAt(stored));
        }
    },
    ACCESS_TOKEN(OAuth2ParameterNames.ACCESS_TOKEN, OAuth2AccessToken.class) {
        @Override
        OAuth2Token token(StoredToken stored, Map<String, Object> metadata) {
            return new OAuth2AccessToken(
                    new OAuth2AccessToken.TokenType(stored.type() == null ? "Bearer" : stored.type()),
                    stored.value(),
                    stored.issuedAt(),
                    stored.expiresAt(),
                    stored.scopes() == null ? Set.of() : stored.scopes());
        }
    },
    ID_TOKEN(OidcParameterNames.ID_TOKEN, OidcIdToken.class) {
        @Override
        @SuppressWarnings("unchecked") // Spring Security keeps the claims of a token there
        OAuth2Token token(StoredToken stored, Map<String, Object> metadata) {
            Map<String, Object> claims =
                    (Map<String, Object>) metadata.get(OAuth2Authorization.Token.CLAIMS_METADATA_NAME);
            return new OidcIdToken(
                    stored.value(), stored.issuedAt(), stored.expiresAt(), claims == null ? Map.of() : claims);
        }
    },
    REFRESH_TOKEN(OAuth2ParameterNames.REFRESH_TOKEN, OAuth2RefreshToken.class) {
        @Override
        OAuth2Token token(StoredToken stored, Map<String, Object> metadata) {
            return new OAuth2RefreshToken(stored.value(), stored.issuedAt(), stored.expiresAt());
        }
    },
    USER_CODE(OAuth2ParameterNames.USER_CODE, OAuth2UserCode.class) {
        @Override
        OAuth2Token token(StoredToken stored, Map<String, Object> metadata) {
            return new OAuth2UserCode(stored.value(), issuedAt(stored), expiresAt(stored));
        }
    },
    DEVICE_CODE(OAuth2ParameterNames.DEVICE_CODE, OAuth2DeviceCode.class) {
        @Override
        OAuth2Token token(StoredToken stored, Map<String, Object> metadata) {
            return new OAuth2DeviceCode(stored.value(), issuedAt(stored), expiresAt(stored));
        }
    };

    /** The name of the state of an authorization, by which it is found like by a token. */
    static final String STATE = OAuth2ParameterNames.STATE;

    private final String typeName;
    private final Class<? extends OAuth2Token> type;

    TokenKind(String typeName, Class<? extends OAuth2Token> type) {
        this.typeName = typeName;
        this.type = type;
    }

    private static Instant issuedAt(StoredToken stored) {
        return Objects.requireNonNull(stored.issuedAt());
    }

    private static Instant expiresAt(StoredToken stored) {
        return Objects.requireNonNull(stored.expiresAt());
    }

    /** Makes the token. */
    abstract OAuth2Token token(StoredToken stored, Map<String, Object> metadata);

    String typeName() {
        return typeName;
    }

    /** Returns the token of this kind that an authorization has. */
    OAuth2Authorization.@Nullable Token<? extends OAuth2Token> of(OAuth2Authorization authorization) {
        return authorization.getToken(type);
    }

    /** Tests whether a token of a kind is so long that no other authorization ever has the same. */
    static boolean isUnique(String typeName) {
        return !typeName.equals(STATE) && !typeName.equals(USER_CODE.typeName);
    }

    /** Returns the names of all kinds, and of the state. */
    static List<String> names() {
        return Stream.concat(Stream.of(STATE), Stream.of(values()).map(TokenKind::typeName))
                .toList();
    }
}
