package dev.ttlstore.spring.security;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.reactive.InMemoryReactiveOneTimeTokenService;
import org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;

import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** One-time tokens of reactive applications: they are those of the others, and their calls wait for nothing. */
class StoreReactiveOneTimeTokenServiceTests extends ReactiveOneTimeTokensContract {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();

    @Override
    StoreReactiveOneTimeTokenService service() {
        return new StoreReactiveOneTimeTokenService(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** The contract is what Spring Security's own service does. */
    @Nested
    class InMemory extends ReactiveOneTimeTokensContract {

        private final ReactiveOneTimeTokenService service = new InMemoryReactiveOneTimeTokenService();

        @Override
        ReactiveOneTimeTokenService service() {
            return service;
        }
    }

    @Test
    void aTokenExpiresToTheMillisecond() {
        OneTimeToken token = generated("ann");
        OneTimeToken other = generated("ann");
        clock.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(consumed(token.getTokenValue())).isNotNull();
        clock.advance(Duration.ofMillis(1));
        assertThat(consumed(other.getTokenValue())).isNull();
    }

    @Test
    void applicationsOfBothKindsShareTheTokens() {
        StoreOneTimeTokenService servlet = new StoreOneTimeTokenService(store);
        String token = generated("ann").getTokenValue();
        assertThat(servlet.consume(new OneTimeTokenAuthenticationToken(token))).isNotNull();
        token = servlet.generate(new GenerateOneTimeTokenRequest("ann")).getTokenValue();
        assertThat(consumed(token)).isNotNull();
    }

    @Test
    void aNewerTokenEndsTheOlderOnesIfThatIsSet() {
        var newestOnly = new StoreReactiveOneTimeTokenService(store, true);
        OneTimeToken older = newestOnly
                .generate(new GenerateOneTimeTokenRequest("ann"))
                .blockOptional()
                .orElseThrow();
        newestOnly.generate(new GenerateOneTimeTokenRequest("ann")).block();
        assertThat(consumed(older.getTokenValue())).isNull();
    }

    @Test
    void nothingHappensBeforeSomebodySubscribes() {
        Mono<OneTimeToken> unused = service().generate(new GenerateOneTimeTokenRequest("ann"));
        assertThat(store.count()).isZero();
        OneTimeToken token = generated("ann");
        Mono<OneTimeToken> unusedToo = service().consume(new OneTimeTokenAuthenticationToken(token.getTokenValue()));
        assertThat(consumed(token.getTokenValue())).isNotNull();
    }

    @Test
    void aTokenThatIsNeverValidIsRefused() {
        Mono<OneTimeToken> generated = service().generate(new GenerateOneTimeTokenRequest("ann", Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(generated::block).withMessageContaining("'expiresIn'");
    }
}
