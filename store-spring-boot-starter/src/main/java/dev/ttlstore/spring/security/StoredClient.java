package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;

import dev.ttlstore.Codec;

/**
 * An authorized client as it is stored, without its registration, which belongs to the configuration.
 *
 * @param principalName the name of the user
 * @param accessToken the access token
 * @param refreshToken the refresh token; null if there is none
 */
record StoredClient(
        String principalName,
        OAuth2AccessToken accessToken,
        @Nullable OAuth2RefreshToken refreshToken) {

    static final Codec<StoredClient> CODEC = new OfFields();

    /** The lifetime that Spring Security gives an access token if the provider names none. */
    private static final Duration UNKNOWN = Duration.ofSeconds(1);

    static StoredClient of(OAuth2AuthorizedClient client) {
        return new StoredClient(client.getPrincipalName(), client.getAccessToken(), client.getRefreshToken());
    }

    OAuth2AuthorizedClient of(ClientRegistration registration) {
        return new OAuth2AuthorizedClient(registration, principalName, accessToken, refreshToken);
    }

    /**
     * Returns the time from which on the client is of no use: its access token has expired, and there is no refresh token or it has
     * expired, too. Null if the tokens do not say.
     */
    @Nullable
    Instant uselessAt() {
        Instant access = accessToken.getExpiresAt();
        if (refreshToken == null) {
            return access == null || isUnknown(access) ? null : access;
        }
        Instant refresh = refreshToken.getExpiresAt();
        return access == null || refresh == null || refresh.isAfter(access) ? refresh : access;
    }

    private boolean isUnknown(Instant expiresAt) {
        Instant issuedAt = accessToken.getIssuedAt();
        return issuedAt != null && !expiresAt.isAfter(issuedAt.plus(UNKNOWN));
    }

    private static final class OfFields implements Codec<StoredClient> {

        private static final int SCOPES = 8;

        private final Fields fields = new Fields();

        @Override
        public byte[] encode(StoredClient client) {
            OAuth2AccessToken access = client.accessToken;
            OAuth2RefreshToken refresh = client.refreshToken;
            List<@Nullable String> parts = new ArrayList<>();
            parts.add(client.principalName);
            parts.add(access.getTokenType().getValue());
            parts.add(access.getTokenValue());
            parts.add(text(access.getIssuedAt()));
            parts.add(text(access.getExpiresAt()));
            parts.add(refresh == null ? null : refresh.getTokenValue());
            parts.add(refresh == null ? null : text(refresh.getIssuedAt()));
            parts.add(refresh == null ? null : text(refresh.getExpiresAt()));
            parts.addAll(access.getScopes());
            return fields.encode(parts);
        }

        @Override
        public StoredClient decode(byte[] bytes) {
            List<@Nullable String> parts = fields.decode(bytes);
            try {
                return new StoredClient(required(parts.get(0)), accessToken(parts), refreshToken(parts));
            } catch (IndexOutOfBoundsException
                    | DateTimeParseException
                    | IllegalArgumentException
                    | NullPointerException e) {
                throw Fields.malformed();
            }
        }

        private static OAuth2AccessToken accessToken(List<@Nullable String> parts) {
            Set<String> scopes = new LinkedHashSet<>();
            parts.subList(SCOPES, parts.size()).forEach(scope -> scopes.add(required(scope)));
            return new OAuth2AccessToken(
                    new OAuth2AccessToken.TokenType(required(parts.get(1))),
                    required(parts.get(2)),
                    time(parts.get(3)),
                    time(parts.get(4)),
                    scopes);
        }

        private static @Nullable OAuth2RefreshToken refreshToken(List<@Nullable String> parts) {
            String value = parts.get(5);
            return value == null ? null : new OAuth2RefreshToken(value, time(parts.get(6)), time(parts.get(7)));
        }

        private static String required(@Nullable String part) {
            return Objects.requireNonNull(part);
        }

        private static @Nullable String text(@Nullable Instant time) {
            return time == null ? null : time.toString();
        }

        private static @Nullable Instant time(@Nullable String text) {
            return text == null ? null : Instant.parse(text);
        }
    }
}
