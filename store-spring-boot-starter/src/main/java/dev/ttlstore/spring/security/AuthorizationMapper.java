package dev.ttlstore.spring.security;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.json.ConstructedTypes;
import dev.ttlstore.spring.json.ExactJson;
import dev.ttlstore.spring.json.JsonProblems;
import dev.ttlstore.spring.json.ReadBack;

import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Maps authorizations to what is stored of them. Attributes and metadata may have values of many classes; Spring Security's own mapper
 * writes and reads them. What it could not read later is refused when it is written.
 */
final class AuthorizationMapper {

    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    private final JsonMapper values;
    private final ReadBack readBack;

    AuthorizationMapper(JsonMapper values) {
        Objects.requireNonNull(values, "'mapper' must not be null");
        // Spring Security's modules write times as fractions, which lose nanoseconds when they are read.
        this.values = values.rebuild().addModule(ExactJson.module()).build();
        this.readBack = new ReadBack(this.values);
    }

    /**
     * Returns what to store of an authorization.
     *
     * @throws CodecException if {@link #restore} could not read it
     */
    StoredAuthorization store(OAuth2Authorization authorization) {
        Map<String, StoredToken> tokens = new LinkedHashMap<>();
        for (TokenKind kind : TokenKind.values()) {
            OAuth2Authorization.Token<? extends OAuth2Token> token = kind.of(authorization);
            if (token != null) {
                StoredToken stored = StoredToken.of(token.getToken(), write(token.getMetadata()));
                OAuth2Token unused = token(kind, stored, readBack(token.getMetadata(), stored.metadata()));
                tokens.put(kind.typeName(), stored);
            }
        }
        String attributes = write(authorization.getAttributes());
        Map<String, Object> unused = readBack(authorization.getAttributes(), attributes);
        return new StoredAuthorization(
                authorization.getId(),
                authorization.getRegisteredClientId(),
                authorization.getPrincipalName(),
                authorization.getAuthorizationGrantType().getValue(),
                authorization.getAuthorizedScopes(),
                attributes,
                state(authorization),
                tokens);
    }

    private static OAuth2Token token(TokenKind kind, StoredToken stored, Map<String, Object> metadata) {
        try {
            return kind.token(stored, metadata);
        } catch (RuntimeException e) {
            throw new CodecException("A token of the kind '" + kind.typeName() + "' cannot be made of what is stored: "
                    + e.getClass().getName());
        }
    }

    private static @Nullable String state(OAuth2Authorization authorization) {
        Object state = authorization.getAttribute(OAuth2ParameterNames.STATE);
        return state instanceof String text && !text.isBlank() ? text : null;
    }

    OAuth2Authorization restore(StoredAuthorization stored, RegisteredClient client) {
        Map<String, Object> attributes = read(stored.attributes());
        OAuth2Authorization.Builder builder = OAuth2Authorization.withRegisteredClient(client)
                .id(stored.id())
                .principalName(stored.principalName())
                .authorizationGrantType(new AuthorizationGrantType(stored.grantType()))
                .authorizedScopes(stored.scopes())
                .attributes(all -> all.putAll(attributes));
        for (TokenKind kind : TokenKind.values()) {
            StoredToken token = stored.tokens().get(kind.typeName());
            if (token != null) {
                Map<String, Object> metadata = read(token.metadata());
                builder.token(token(kind, token, metadata), all -> all.putAll(metadata));
            }
        }
        return builder.build();
    }

    private String write(Map<String, Object> map) {
        try {
            return values.writeValueAsString(map);
        } catch (JacksonException e) {
            throw new CodecException("An attribute or claim of an authorization cannot be written as JSON ("
                    + JsonProblems.ofWriting(e) + ")");
        }
    }

    private Map<String, Object> readBack(Map<String, Object> written, String json) {
        Map<String, Object> read = read(json);
        String difference = readBack.difference(written, read);
        if (difference != null) {
            throw new CodecException("An attribute or claim of an authorization would not be the same after reading: "
                    + difference + "; use a class that Jackson gives back");
        }
        return read;
    }

    private Map<String, Object> read(String json) {
        try {
            return values.readValue(json, MAP);
        } catch (InvalidTypeIdException e) {
            throw new CodecException("An attribute or claim of an authorization has an object of " + e.getTypeId()
                    + ", which may not be read; if it only holds values, add '" + e.getTypeId()
                    + "' or its package to 'store.authorizations.allowed-classes'");
        } catch (InvalidDefinitionException e) {
            throw new CodecException("An attribute or claim of an authorization cannot be read, because "
                    + ConstructedTypes.reason(e, "store.authorizations.allowed-classes"));
        } catch (RuntimeException | LinkageError e) {
            // Without the cause, whose message may have parts of the value.
            throw new CodecException("An attribute or claim of an authorization cannot be read: "
                    + e.getClass().getName());
        }
    }

    /** Encodes what is stored, apart from the values of many classes in it. */
    static final class AuthorizationCodec implements Codec<StoredAuthorization> {

        private final JsonMapper json = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // of a later release
                .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // or half of a surrogate pair could not be written
                .build();

        @Override
        public byte[] encode(StoredAuthorization authorization) {
            return json.writeValueAsBytes(authorization);
        }

        @Override
        public StoredAuthorization decode(byte[] bytes) {
            try {
                return Objects.requireNonNull(json.readValue(bytes, StoredAuthorization.class));
            } catch (JacksonException | NullPointerException e) {
                throw new CodecException(
                        "It is not an authorization: " + e.getClass().getName());
            }
        }
    }
}
