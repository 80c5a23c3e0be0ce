package dev.ttlstore.spring.security;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2Token;

/**
 * A token as it is stored.
 *
 * @param value the token
 * @param issuedAt when it was issued; null if that is unknown
 * @param expiresAt when it expires; null if it does not
 * @param metadata what Spring Security knows of it, as JSON of its own
 * @param type the type of an access token; null for others
 * @param scopes the scopes of an access token; null for others
 */
record StoredToken(
        String value,
        @Nullable Instant issuedAt,
        @Nullable Instant expiresAt,
        String metadata,
        @Nullable String type,
        @Nullable Set<String> scopes) {

    StoredToken {
        Objects.requireNonNull(value);
        Objects.requireNonNull(metadata);
    }

    static StoredToken of(OAuth2Token token, String metadata) {
        OAuth2AccessToken access = token instanceof OAuth2AccessToken of ? of : null;
        return new StoredToken(
                token.getTokenValue(),
                token.getIssuedAt(),
                token.getExpiresAt(),
                metadata,
                access == null ? null : access.getTokenType().getValue(),
                access == null ? null : access.getScopes());
    }

    /** Returns a text without the token. */
    @Override
    public String toString() {
        return "StoredToken[issuedAt=" + issuedAt + ", expiresAt=" + expiresAt + "]";
    }
}
