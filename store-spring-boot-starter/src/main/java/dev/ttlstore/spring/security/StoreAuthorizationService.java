package dev.ttlstore.spring.security;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.jackson.SecurityJacksonModules;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.util.Assert;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.TextGroup;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.spring.json.ConstructedTypes;
import dev.ttlstore.spring.json.ExactJson;
import dev.ttlstore.spring.transaction.OutsideTransaction;

import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.type.TypeFactory;

/**
 * Keeps the authorizations of Spring's authorization server in a store. An authorization expires with the last of its
 * tokens, so no job has to clean up. The service finds it by hashes of its tokens, which change together with the
 * authorization. It also finds it by an expired token while another token is valid, so the server notices a code that
 * is used again.
 *
 * <pre>{@code
 * @Bean
 * OAuth2AuthorizationService authorizations(Store store, RegisteredClientRepository clients) {
 *     AuthorizationSettings settings = new AuthorizationSettings(Duration.ofMinutes(10), Duration.ZERO);
 *     JsonMapper mapper = StoreAuthorizationService.jsonMapper(List.of(), getClass().getClassLoader());
 *     return new StoreAuthorizationService(store, clients, settings, mapper);
 * }
 * }</pre>
 *
 * <p>Authorizations belong to no transaction of the application: a revoked token stays revoked if a transaction is
 * rolled back. Thread-safe.
 *
 * @since 0.1
 * @see AuthorizationSettings
 * @see StoreAuthorizationsProperties
 */
public final class StoreAuthorizationService implements OAuth2AuthorizationService {

    /** The group that holds the authorizations, by the hash of their id. */
    public static final String GROUP = "authorizations";

    /** The group that holds the keys of authorizations, by the kind and the hash of their tokens. */
    public static final String TOKENS = "authorization-tokens";

    private static final Logger log = LoggerFactory.getLogger(StoreAuthorizationService.class);

    private static final AuthorizationMapper.AuthorizationCodec CODEC = new AuthorizationMapper.AuthorizationCodec();

    private static final List<String> KINDS = TokenKind.names();

    private final LiveKeyspace store;
    private final Group<StoredAuthorization> authorizations;
    private final TextGroup tokens;
    private final RegisteredClientRepository clients;
    private final AuthorizationSettings settings;
    private final AuthorizationMapper mapper;

    private final KnownAuthorizations known = new KnownAuthorizations();

    /**
     * Creates the service.
     *
     * @param store the store or scope that holds the authorizations
     * @param clients the registered clients, which are not stored
     * @param settings how long to keep authorizations without a token that says so
     * @param mapper maps attributes and claims of any class; {@link #jsonMapper} makes one
     */
    public StoreAuthorizationService(
            LiveKeyspace store, RegisteredClientRepository clients, AuthorizationSettings settings, JsonMapper mapper) {
        this.store = OutsideTransaction.of(store);
        this.authorizations = this.store.group(GROUP, CODEC);
        this.tokens = this.store.group(TOKENS);
        this.clients = Objects.requireNonNull(clients, "'clients' must not be null");
        this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
        this.mapper = new AuthorizationMapper(mapper);
    }

    /**
     * Creates a mapper with the modules of Spring Security that are on the class path.
     *
     * @param allowedClasses patterns of classes whose values may be read, beside those that Spring Security allows and Java's classes
     *     of values, as {@link AllowedClasses#of} describes them; a class that is allowed by its package only must take all its
     *     state in a constructor
     * @param loader finds the modules and the classes
     * @return the mapper
     * @throws IllegalArgumentException if a pattern is malformed
     */
    public static JsonMapper jsonMapper(Collection<String> allowedClasses, ClassLoader loader) {
        AllowedClasses allowed = AllowedClasses.of(allowedClasses);
        BasicPolymorphicTypeValidator.Builder types = BasicPolymorphicTypeValidator.builder()
                .allowIfSubType(new BasicPolymorphicTypeValidator.TypeMatcher() {
                    @Override
                    public boolean match(DatabindContext context, Class<?> type) {
                        return allowed.contains(type);
                    }
                });
        return ExactJson.builder()
                .typeFactory(TypeFactory.createDefaultInstance().withClassLoader(loader))
                .addModules(SecurityJacksonModules.getModules(loader, types))
                .addModule(ConstructedTypes.module(allowed))
                .build();
    }

    /**
     * Stores an authorization. It replaces an earlier one with the same id.
     *
     * @throws CodecException if an attribute or claim could not be read later
     */
    @Override
    public void save(OAuth2Authorization authorization) {
        Assert.notNull(authorization, "'authorization' must not be null");
        StoredAuthorization stored = mapper.store(authorization);
        String key = Hash.of(stored.id());
        Set<String> tokenKeys = stored.tokenKeys();
        Expiry expiry = stored.expiry(settings);
        Consumer<WriteBatch> puts = batch -> {
            batch.put(authorizations, key, stored, expiry);
            tokenKeys.forEach(token -> batch.put(tokens, token, key, expiry));
        };
        SeenAuthorization seen = known.changing(key);
        if (!write(key, seen == null ? SeenAuthorization.NEW : seen, tokenKeys, puts)) {
            change(key, tokenKeys, puts);
        }
        known.written(key, tokenKeys);
    }

    /** Writes if the authorization still is as it was seen, so that a new one, or one that was just found, needs no read. */
    private boolean write(String key, SeenAuthorization seen, Set<String> keptTokens, Consumer<WriteBatch> writes) {
        if (!seen.isVersionKnown()) {
            return false;
        }
        WriteBatch batch = store.batch();
        if (seen.isNew()) {
            batch.requireAbsent(authorizations, key);
        } else {
            batch.requireVersion(authorizations, key, seen.version());
        }
        removeTokens(batch, key, seen.tokenKeys(), keptTokens);
        writes.accept(batch);
        try {
            return batch.write();
        } catch (SealedValueException e) {
            return false; // its tokens cannot be decrypted
        }
    }

    private void removeTokens(WriteBatch batch, String key, Set<String> before, Set<String> kept) {
        before.stream().filter(token -> !kept.contains(token)).forEach(token -> batch.delete(tokens, token, key));
    }

    /** Removes the authorization that has the same id, even if it differs otherwise. */
    @Override
    public void remove(OAuth2Authorization authorization) {
        Assert.notNull(authorization, "'authorization' must not be null");
        String key = Hash.of(authorization.getId());
        Consumer<WriteBatch> deletion = batch -> batch.delete(authorizations, key);
        SeenAuthorization seen = known.changing(key);
        if (seen == null || !write(key, seen, Set.of(), deletion)) {
            change(key, Set.of(), deletion);
        }
    }

    /**
     * Writes, and removes the tokens by which the stored authorization is found no longer. One that has changed since it was read
     * is read again. One that has appeared since is overwritten: its tokens, if they are others, find nothing, and expire.
     */
    private void change(String key, Set<String> keptTokens, Consumer<WriteBatch> writes) {
        boolean removing = true;
        boolean done = false;
        while (!done) {
            WriteBatch batch = store.batch();
            Optional<Entry<StoredAuthorization>> before = Unreadable.asAbsent(GROUP, () -> authorizations.entry(key));
            before.ifPresent(entry -> batch.requireVersion(authorizations, key, entry.version()));
            if (removing) {
                before.ifPresent(entry -> removeTokens(batch, key, entry.value().tokenKeys(), keptTokens));
            }
            writes.accept(batch);
            try {
                done = batch.write();
            } catch (SealedValueException e) {
                if (!removing) {
                    throw e;
                }
                log.warn("Tokens that cannot be decrypted stay until they expire. {}", e.getMessage());
                removing = false;
            }
        }
    }

    /** Returns an authorization; null if there is none, it has expired, its client is gone, or it cannot be read. */
    @Override
    public @Nullable OAuth2Authorization findById(String id) {
        Assert.hasText(id, "'id' must not be empty");
        return read(Hash.of(id)).flatMap(this::restore).orElse(null);
    }

    /**
     * Returns the authorization that has a token, which may have expired.
     *
     * @param token the token
     * @param tokenType what kind of token it is; null for any kind
     * @return the authorization; null if there is none, its last token has expired, its client is gone, or it cannot be read
     */
    @Override
    public @Nullable OAuth2Authorization findByToken(String token, @Nullable OAuth2TokenType tokenType) {
        Assert.hasText(token, "'token' must not be empty");
        List<String> keys = KINDS.stream()
                .filter(kind -> tokenType == null || kind.equals(tokenType.getValue()))
                .map(kind -> StoredAuthorization.tokenKey(kind, token))
                .toList();
        return find(keys).flatMap(this::restore).orElse(null);
    }

    private Optional<StoredAuthorization> find(List<String> tokenKeys) {
        return find(tokenKeys, known.places(tokenKeys))
                .or(() -> find(
                        tokenKeys,
                        Unreadable.asAbsent(TOKENS, () -> Optional.of(tokens.getAll(tokenKeys)))
                                .orElse(Map.of())));
    }

    /** Finds an authorization by the keys that it may have. */
    private Optional<StoredAuthorization> find(List<String> tokenKeys, Map<String, String> keys) {
        for (String token : tokenKeys) {
            String key = keys.get(token);
            if (key != null) {
                Optional<StoredAuthorization> found = read(key)
                        // It may have got other tokens since.
                        .filter(stored -> stored.tokenKeys().contains(token));
                if (found.isPresent()) {
                    known.found(token, key);
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<StoredAuthorization> read(String key) {
        // Not by get: what a near cache has may be revoked.
        Optional<Entry<StoredAuthorization>> found = Unreadable.asAbsent(GROUP, () -> authorizations.entry(key));
        found.ifPresent(entry -> known.found(key, entry));
        return found.map(Entry::value);
    }

    private Optional<OAuth2Authorization> restore(StoredAuthorization stored) {
        RegisteredClient client = clients.findById(stored.clientId());
        if (client == null) {
            log.warn(
                    "An authorization of the registered client '{}' counts as absent, because there is no such client",
                    stored.clientId());
            return Optional.empty();
        }
        return Unreadable.asAbsent(GROUP, () -> Optional.of(mapper.restore(stored, client)));
    }
}
