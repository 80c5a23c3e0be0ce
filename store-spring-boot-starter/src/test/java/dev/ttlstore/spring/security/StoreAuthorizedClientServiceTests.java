package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.client.AuthorizedClientServiceOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientProviderBuilder;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Authorized clients in a store in memory. */
class StoreAuthorizedClientServiceTests extends AuthorizedClientsContract {

    private static final Duration HOUR = Duration.ofHours(1);

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();

    @Override
    Store store() {
        return store;
    }

    @Override
    Instant now() {
        return clock.instant().plusNanos(123_456);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private boolean isThereAfter(Duration time) {
        clock.advance(time);
        return load("ann") != null;
    }

    @Test
    void withoutARefreshTokenAClientExpiresWithItsAccessToken() {
        save("ann", access("token", HOUR), null);
        assertThat(isThereAfter(HOUR)).isTrue(); // it was issued a fraction of a millisecond later
        assertThat(isThereAfter(Duration.ofMillis(1))).isFalse();
        store.purgeExpired();
        assertThat(store.stats().entries()).isZero();
    }

    @Test
    void aRefreshTokenKeepsAClientUntilItExpiresItself() {
        save("ann", access("token", HOUR), new OAuth2RefreshToken("refresh", now(), now().plus(HOUR.multipliedBy(24))));
        assertThat(isThereAfter(HOUR.multipliedBy(23))).isTrue();
        assertThat(isThereAfter(HOUR.plusMillis(1))).isFalse();
        save("ann", access("token", HOUR), new OAuth2RefreshToken("refresh", now(), now().plusSeconds(1)));
        assertThat(isThereAfter(HOUR.dividedBy(2))).isTrue();
    }

    @Test
    void aRefreshTokenThatDoesNotSayWhenItExpiresKeepsAClientForTheTtl() {
        save("ann", access("token", HOUR), new OAuth2RefreshToken("refresh", now()));
        assertThat(isThereAfter(TTL.minusMillis(1))).isTrue();
        assertThat(isThereAfter(Duration.ofMillis(1))).isFalse();
    }

    /** Some providers issue tokens that do not expire. Spring Security lets them expire after a second, but goes on to use them. */
    @Test
    void anAccessTokenOfWhichTheProviderDoesNotSayWhenItExpiresKeepsAClientForTheTtl() {
        OAuth2AccessToken token = OAuth2AccessTokenResponse.withToken("token")
                .tokenType(TokenType.BEARER)
                .build()
                .getAccessToken();
        save("ann", token, null);
        assertThat(isThereAfter(TTL.minusMillis(1))).isTrue();
        assertThat(isThereAfter(Duration.ofMillis(1))).isFalse();
    }

    @Test
    void zeroIsForEver() {
        OAuth2AccessToken token = new OAuth2AccessToken(TokenType.BEARER, "token", null, null);
        service(Duration.ZERO).saveAuthorizedClient(new OAuth2AuthorizedClient(LOGIN, "ann", token), principal("ann"));
        assertThat(isThereAfter(Duration.ofDays(10_000))).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service(Duration.ofSeconds(-1)))
                .withMessageContaining("'ttl'");
    }

    /** What an application uses for calls of its own. */
    @Test
    void springsManagerGetsANewTokenWhenTheOldOneHasExpired() {
        AtomicInteger issued = new AtomicInteger();
        var manager = new AuthorizedClientServiceOAuth2AuthorizedClientManager(
                new InMemoryClientRegistrationRepository(LOGIN), service());
        manager.setAuthorizedClientProvider(OAuth2AuthorizedClientProviderBuilder.builder()
                .clientCredentials(builder -> builder.accessTokenResponseClient(
                        request -> OAuth2AccessTokenResponse.withToken("token" + issued.incrementAndGet())
                                .tokenType(TokenType.BEARER)
                                .expiresIn(3600)
                                .build()))
                .build());
        OAuth2AuthorizeRequest request = OAuth2AuthorizeRequest.withClientRegistrationId("login")
                .principal(principal("job"))
                .build();
        assertThat(requireNonNull(manager.authorize(request)).getAccessToken().getTokenValue())
                .isEqualTo("token1");
        assertThat(requireNonNull(manager.authorize(request)).getAccessToken().getTokenValue())
                .isEqualTo("token1");
        clock.advance(Duration.ofDays(30_000)); // the token was issued in real time
        assertThat(requireNonNull(manager.authorize(request)).getAccessToken().getTokenValue())
                .isEqualTo("token2");
    }
}
