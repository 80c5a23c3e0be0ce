package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** One-time tokens in a store in memory. */
class StoreOneTimeTokenServiceTests extends OneTimeTokensContract {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();

    @Override
    Store store() {
        return store;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void theExpiryThatATokenTellsIsByTheClockOfTheApplication() {
        Instant before = Instant.now();
        OneTimeToken token = service().generate(new GenerateOneTimeTokenRequest("ann"));
        assertThat(token.getExpiresAt())
                .isBetween(before.plus(Duration.ofMinutes(5)), Instant.now().plus(Duration.ofMinutes(5)));
        clock.advance(Duration.ofMinutes(4));
        Instant later = Instant.now();
        assertThat(requireNonNull(consume(service(), token)).getExpiresAt())
                .isBetween(later.plus(Duration.ofMinutes(1)), Instant.now().plus(Duration.ofMinutes(1)));
    }

    @Test
    void aTokenExpiresToTheMillisecond() {
        OneTimeToken token = service().generate(new GenerateOneTimeTokenRequest("ann"));
        OneTimeToken other = service().generate(new GenerateOneTimeTokenRequest("ann"));
        clock.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(consume(service(), token)).isNotNull();
        clock.advance(Duration.ofMillis(1));
        assertThat(consume(service(), other)).isNull();
        store.purgeExpired();
        assertThat(store.stats().entries()).isZero();
    }
}
