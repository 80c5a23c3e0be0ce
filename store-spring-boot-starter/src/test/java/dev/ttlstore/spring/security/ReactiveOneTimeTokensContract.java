package dev.ttlstore.spring.security;

import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.reactive.ReactiveOneTimeTokenService;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What Spring Security's reactive service for one-time tokens does, and so must ours. */
abstract class ReactiveOneTimeTokensContract {

    abstract ReactiveOneTimeTokenService service();

    final OneTimeToken generated(String user) {
        return requireNonNull(
                service().generate(new GenerateOneTimeTokenRequest(user)).block());
    }

    final @Nullable OneTimeToken consumed(String token) {
        return service().consume(new OneTimeTokenAuthenticationToken(token)).block();
    }

    @Test
    void aTokenIsConsumedOnce() {
        OneTimeToken token = generated("ann");
        OneTimeToken other = generated("ben");
        assertThat(token.getUsername()).isEqualTo("ann");
        OneTimeToken consumed = requireNonNull(consumed(token.getTokenValue()));
        assertThat(consumed.getTokenValue()).isEqualTo(token.getTokenValue());
        assertThat(consumed.getUsername()).isEqualTo("ann");
        assertThat(consumed.getExpiresAt()).isCloseTo(token.getExpiresAt(), within(1, ChronoUnit.MINUTES));
        assertThat(consumed(token.getTokenValue())).isNull();
        assertThat(consumed(other.getTokenValue())).isNotNull();
    }

    @Test
    void aTokenThatDoesNotExistIsEmpty() {
        assertThat(consumed("unknown")).isNull();
    }
}
