package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;

import static java.util.Objects.requireNonNull;
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
        clock.advance(TTL.multipliedBy(3));
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
    void allLoginsOfAUserAreFoundHoweverOftenTheyWereUsed() {
        StorePersistentTokenRepository logins = repository();
        for (Duration pause : List.of(Duration.ofDays(1), Duration.ofDays(5), Duration.ofDays(13))) {
            logins.createNewToken(token("joeuser", "series", "token"));
            for (Duration used = Duration.ZERO; used.compareTo(TTL.multipliedBy(6)) < 0; used = used.plus(pause)) {
                clock.advance(pause);
                assertThat(logins.getTokenForSeries("series")).isNotNull();
                logins.updateToken("series", "newtoken", TUESDAY);
            }
            clock.advance(TTL.minusMillis(1));
            logins.removeUserTokens("joeuser");
            assertThat(store.count()).isZero();
        }
    }

    @Test
    void anInstanceThatHasReadALoginRenewsItAfterAnotherHas() {
        StorePersistentTokenRepository one = repository();
        one.createNewToken(token("joeuser", "series", "token"));
        assertThat(one.getTokenForSeries("series")).isNotNull();
        repository().updateToken("series", "of another", TUESDAY);
        one.updateToken("series", "own", TUESDAY);
        assertThat(requireNonNull(repository().getTokenForSeries("series")).getTokenValue())
                .isEqualTo("own");
        assertThat(one.getTokenForSeries("series")).isNotNull();
        repository().removeUserTokens("joeuser");
        one.updateToken("series", "late", TUESDAY);
        assertThat(store.count()).isZero();
    }

    @Test
    void theTtlIsMoreThanZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StorePersistentTokenRepository(store, Duration.ZERO))
                .withMessageContaining("'ttl'");
    }
}
