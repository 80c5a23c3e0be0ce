package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.ott.DefaultOneTimeToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.security.crypto.keygen.StringKeyGenerator;
import org.springframework.util.Assert;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.keys.AnyText;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Keeps Spring Security's one-time tokens in a store. Of any number of concurrent callers, also in several instances,
 * at most one consumes a token. From the millisecond in which a token expires, nobody can. {@code getExpiresAt} is by
 * the application's clock. The store has only the hash
 * of a token, so a reader of the database cannot log in with it. Tokens belong to no transaction of the application: a
 * consumed token stays consumed if a transaction is rolled back. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * OneTimeTokenService oneTimeTokens(Store store) {
 *     return new StoreOneTimeTokenService(store);
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreReactiveOneTimeTokenService
 * @see StoreOneTimeTokensProperties
 */
public final class StoreOneTimeTokenService implements OneTimeTokenService {

    /** The group that holds the names of users, by the hash of the token. */
    public static final String GROUP = "one-time-tokens";

    /** Makes tokens of 256 random bits, which need no escapes in a link. */
    private final StringKeyGenerator generator =
            new Base64StringKeyGenerator(Base64.getUrlEncoder().withoutPadding(), 32);

    private final Group<String> tokens;

    /** Null unless a newer token ends the older ones. */
    private final @Nullable NewestTokens newest;

    /**
     * Creates a service whose tokens are valid until they are consumed or expire.
     *
     * @param store the store or scope that holds the tokens
     */
    public StoreOneTimeTokenService(LiveKeyspace store) {
        this(store, false);
    }

    /**
     * Creates the service.
     *
     * @param store the store or scope that holds the tokens
     * @param newestOnly whether a newer token of a user ends the older ones, as far as they were generated with this setting
     */
    public StoreOneTimeTokenService(LiveKeyspace store, boolean newestOnly) {
        LiveKeyspace outside = OutsideTransaction.of(store);
        this.tokens = outside.group(GROUP, new AnyText());
        this.newest = newestOnly ? new NewestTokens(outside, tokens) : null;
    }

    /**
     * Generates a token.
     *
     * @param request the name of the user, and how long the token is valid
     * @return the token
     * @throws IllegalArgumentException if the token would not be valid for any time
     */
    @Override
    public OneTimeToken generate(GenerateOneTimeTokenRequest request) {
        Assert.notNull(request, "'request' must not be null");
        Duration ttl = request.getExpiresIn();
        if (ttl.isZero() || ttl.isNegative()) {
            throw new IllegalArgumentException("'expiresIn' of the request must be more than zero, but is " + ttl);
        }
        String token = generator.generateKey();
        Instant expiresAt = Instant.now().plus(ttl);
        put(Hash.of(token), request.getUsername(), Expiry.after(ttl));
        return new DefaultOneTimeToken(token, request.getUsername(), expiresAt);
    }

    private void put(String key, String username, Expiry expiry) {
        if (newest == null) {
            long unused = tokens.put(key, username, expiry);
        } else {
            newest.put(key, username, expiry);
        }
    }

    /**
     * Takes a token out of the store.
     *
     * @param authentication the token
     * @return the token, with the name of its user; null if it does not exist, was consumed or has expired
     */
    @Override
    public @Nullable OneTimeToken consume(OneTimeTokenAuthenticationToken authentication) {
        Assert.notNull(authentication, "'authentication' must not be null");
        String token = authentication.getTokenValue();
        if (token == null) {
            return null;
        }
        String key = Hash.of(token);
        return Unreadable.asAbsent(GROUP, () -> tokens.takeEntry(key))
                .map(entry -> new DefaultOneTimeToken(token, entry.value(), expiresAt(entry)))
                .orElse(null);
    }

    /** Only the time that is left comes from the store: its clock may differ from the application's. */
    private static Instant expiresAt(Entry<String> entry) {
        return Instant.now().plus(Objects.requireNonNull(entry.ttl(), "a token without an expiry"));
    }
}
