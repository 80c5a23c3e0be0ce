package dev.ttlstore.spring.security;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Expiry;

/**
 * An authorization as it is stored. It can be read without the classes of the application, which only the attributes and metadata name,
 * as JSON of their own.
 *
 * @param id the id
 * @param clientId the id of the registered client
 * @param principalName the name of the user or client
 * @param grantType the type of the grant
 * @param scopes the authorized scopes
 * @param attributes the attributes, as JSON of their own
 * @param state the state, by which a pending authorization is found; null if there is none
 * @param tokens the tokens, by the name of their kind
 */
record StoredAuthorization(
        String id,
        String clientId,
        String principalName,
        String grantType,
        Set<String> scopes,
        String attributes,
        @Nullable String state,
        Map<String, StoredToken> tokens) {

    private static final char SEPARATOR = ':';

    StoredAuthorization {
        Objects.requireNonNull(id);
        Objects.requireNonNull(clientId);
        Objects.requireNonNull(principalName);
        Objects.requireNonNull(grantType);
        Objects.requireNonNull(scopes);
        Objects.requireNonNull(attributes);
        Objects.requireNonNull(tokens);
    }

    /** Returns the keys by which the authorization is found: the kind and the hash of each token, and of the state. */
    Set<String> tokenKeys() {
        Set<String> keys = new LinkedHashSet<>();
        if (state != null) {
            keys.add(tokenKey(TokenKind.STATE, state));
        }
        tokens.forEach((kind, token) -> keys.add(tokenKey(kind, token.value())));
        return keys;
    }

    static String tokenKey(String kind, String token) {
        return kind + SEPARATOR + Hash.of(token);
    }

    /** Tests whether no other authorization ever has the token of a key. */
    static boolean isUnique(String tokenKey) {
        return TokenKind.isUnique(tokenKey.substring(0, tokenKey.indexOf(SEPARATOR)));
    }

    /** Returns when the authorization expires: with the last of its tokens. */
    Expiry expiry(AuthorizationSettings settings) {
        if (tokens.isEmpty()) {
            return Expiry.after(settings.pendingTtl());
        }
        boolean forEver = tokens.values().stream().anyMatch(token -> token.expiresAt() == null);
        if (forEver) {
            return Expiry.never();
        }
        Instant last = tokens.values().stream()
                .map(token -> Objects.requireNonNull(token.expiresAt()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return Expiry.at(isUsefulLater() ? last.plus(settings.keepExpired()) : last);
    }

    /** Tests whether it makes a difference to a client if the authorization is there after its last token has expired. */
    private boolean isUsefulLater() {
        return tokens.containsKey(TokenKind.ID_TOKEN.typeName()) // with which a user can log out
                || tokens.containsKey(TokenKind.DEVICE_CODE.typeName()); // whose device asks until it has an answer
    }

    /** Returns a text without the tokens and the user. */
    @Override
    public String toString() {
        return "StoredAuthorization[clientId=" + clientId + ", grantType=" + grantType + ", tokens=" + tokens.keySet()
                + "]";
    }
}
