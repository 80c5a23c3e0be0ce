package dev.ttlstore.spring.security;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Remember-me logins in a store in memory. */
class StorePersistentTokenRepositoryTests extends PersistentTokensContract {

    private static final Duration WEEK = Duration.ofDays(7);

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
    void aLoginThatIsNotUsedExpires() {
        repository().createNewToken(token("joeuser", "series", "token"));
        clock.advance(TTL.minusMillis(1));
        assertThat(repository().getTokenForSeries("series")).isNotNull();
        clock.advance(Duration.ofMillis(1));
        assertThat(repository().getTokenForSeries("series")).isNull();
        store.purgeExpired();
        assertThat(store.stats().entries()).isZero();
    }

    @Test
    void aLoginThatIsUsedLivesForTheWholeTimeAgain() {
        repository().createNewToken(token("joeuser", "series", "token"));
        for (int week = 0; week < 8; week++) {
            clock.advance(WEEK);
            repository().updateToken("series", "token" + week, TUESDAY);
        }
        assertThat(repository().getTokenForSeries("series")).isNotNull();
        repository().removeUserTokens("joeuser");
        assertThat(repository().getTokenForSeries("series")).isNull();
    }

    @Test
    void theTtlIsMoreThanZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StorePersistentTokenRepository(store, Duration.ZERO))
                .withMessageContaining("'ttl'");
    }
}
