package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Promise(2)
class ExpiryTests {

    private static final long NOW = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "PT0.000000001S, 1",
        "PT0.000999999S, 1",
        "PT0.001S, 1",
        "PT0.001000001S, 2",
        "PT0.999999999S, 1000",
        "PT1S, 1000",
        "PT24H, 86400000"
    })
    void aTtlCountsFromTheWriteInMillisecondsRoundedUp(Duration ttl, long millis) {
        assertThat(Expiry.after(ttl).from(NOW)).isEqualTo(NOW + millis);
    }

    @Test
    void theTimeOfTheWriteIsTheOneThatCounts() {
        Expiry expiry = Expiry.after(Duration.ofMillis(5));
        assertThat(expiry.from(NOW)).isEqualTo(NOW + 5);
        assertThat(expiry.from(NOW + 100)).isEqualTo(NOW + 105);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT-1S", "PT-2562047788015215H-30M-8S"})
    void aTtlThatIsNotMoreThanZeroIsRefused(Duration ttl) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Expiry.after(ttl))
                .withMessageStartingWith("'ttl' must be more than zero, but is " + ttl);
    }

    @Test
    void theLongestTtlNeitherOverflowsNorMeansForGood() {
        Duration longest = Duration.ofSeconds(Millis.MAX / 1_000 - 1, 999_999_999);
        long expiresAt =
                Expiry.after(longest).from(Instant.parse("9999-12-31T23:59:59Z").toEpochMilli());
        assertThat(expiresAt).isGreaterThan(NOW).isLessThan(Row.NEVER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1281023894007607H45M", "PT2562047788015215H30M7.999999999S"})
    void aTtlBeyondAllTimeIsRefused(Duration ttl) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Expiry.after(ttl))
                .withMessageStartingWith("'ttl' is too large");
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:16:40.001Z, 1000001",
        "1970-01-01T00:16:40.000000001Z, 1000001",
        "1970-01-01T00:16:40.001000001Z, 1000002"
    })
    void aTimeIsRoundedUpToTheMillisecond(Instant expiresAt, long millis) {
        assertThat(Expiry.at(expiresAt, NOW).from(NOW + 7)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:16:40Z",
                "1970-01-01T00:16:39.999999999Z",
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999Z",
                "-1000000000-01-01T00:00:00Z"
            })
    void aTimeThatIsNotInTheFutureIsRefused(Instant expiresAt) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Expiry.at(expiresAt, NOW))
                .withMessageStartingWith("'expiresAt' must be in the future");
    }

    @Test
    void theEndOfTimeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Expiry.at(Instant.MAX, NOW))
                .withMessageStartingWith("'expiresAt' is too large");
    }

    @Test
    void aRefusalNamesTheCallersParameter() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Expiry.after(Duration.ZERO, "ttlOnCreate"))
                .withMessageStartingWith("'ttlOnCreate' must be more than zero");
    }
}
