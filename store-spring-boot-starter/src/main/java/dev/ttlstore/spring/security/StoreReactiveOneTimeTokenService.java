package dev.ttlstore.spring.security;

import java.util.Optional;

import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService;
import org.springframework.util.Assert;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.reactive.StoreCalls;

import reactor.core.publisher.Mono;

/**
 * Keeps Spring Security's one-time tokens of a reactive application in a store. Its entries and promises are those of
 * {@link StoreOneTimeTokenService}. Calls run as {@link StoreCalls} describes: a token that a client has begun to
 * consume is consumed even if the client hangs up. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * ReactiveOneTimeTokenService oneTimeTokens(Store store) {
 *     return new StoreReactiveOneTimeTokenService(store);
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreOneTimeTokenService
 */
public final class StoreReactiveOneTimeTokenService implements ReactiveOneTimeTokenService {

    private final StoreOneTimeTokenService tokens;

    /**
     * Creates a service whose tokens are valid until they are consumed or expire.
     *
     * @param store the store or scope that holds the tokens
     */
    public StoreReactiveOneTimeTokenService(LiveKeyspace store) {
        this(store, false);
    }

    /**
     * Creates the service.
     *
     * @param store the store or scope that holds the tokens
     * @param newestOnly whether a newer token of a user ends the older ones, as far as they were generated with this setting
     */
    public StoreReactiveOneTimeTokenService(LiveKeyspace store, boolean newestOnly) {
        this.tokens = new StoreOneTimeTokenService(store, newestOnly);
    }

    /** Generates a token. Signals an {@code IllegalArgumentException} if it would not be valid for any time. */
    @Override
    public Mono<OneTimeToken> generate(GenerateOneTimeTokenRequest request) {
        Assert.notNull(request, "'request' must not be null");
        return StoreCalls.get(() -> tokens.generate(request));
    }

    /** Takes a token out of the store. The result is empty if it does not exist, was consumed or has expired. */
    @Override
    public Mono<OneTimeToken> consume(OneTimeTokenAuthenticationToken authenticationToken) {
        Assert.notNull(authenticationToken, "'authenticationToken' must not be null");
        return StoreCalls.find(() -> Optional.ofNullable(tokens.consume(authenticationToken)));
    }
}
