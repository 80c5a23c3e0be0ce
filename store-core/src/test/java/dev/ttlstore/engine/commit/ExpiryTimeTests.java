package dev.ttlstore.engine.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.function.LongUnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.ExpiryTime;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Row;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Promise(2)
class ExpiryTimeTests {

    private static final long NOW = 1_000_000;

    private static ExpiryTime after(Duration ttl) {
        return Decision.expiry(ExpiryRule.afterMillis(Millis.ofTtl(ttl, "ttl")), null, null);
    }

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
        assertThat(after(ttl).from(NOW)).isEqualTo(NOW + millis);
    }

    @Test
    void theTimeOfTheWriteIsTheOneThatCounts() {
        ExpiryTime expiry = after(Duration.ofMillis(5));
        assertThat(expiry.from(NOW)).isEqualTo(NOW + 5);
        assertThat(expiry.from(NOW + 100)).isEqualTo(NOW + 105);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-0.000000001S", "PT-1S", "PT-2562047788015215H-30M-8S"})
    void aTtlThatIsNotMoreThanZeroIsRefused(Duration ttl) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExpiryRule.afterMillis(Millis.ofTtl(ttl, "ttl")))
                .withMessageStartingWith("'ttl' must be more than zero, but is " + ttl);
    }

    @Test
    void theLongestTtlNeitherOverflowsNorMeansForGood() {
        Duration longest = Duration.ofSeconds(Millis.MAX / 1_000 - 1, 999_999_999);
        long expiresAt =
                after(longest).from(Instant.parse("9999-12-31T23:59:59Z").toEpochMilli());
        assertThat(expiresAt).isGreaterThan(NOW).isLessThan(Row.NEVER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1281023894007607H45M", "PT2562047788015215H30M7.999999999S"})
    void aTtlBeyondAllTimeIsRefused(Duration ttl) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExpiryRule.afterMillis(Millis.ofTtl(ttl, "ttl")))
                .withMessageStartingWith("'ttl' is too large");
    }

    @Test
    void aTimeStaysAndAPastOneMovesWithTheWrite() {
        assertThat(ExpiryTime.at(NOW + 9).from(NOW + 7)).isEqualTo(NOW + 9);
        assertThat(ExpiryTime.at(NOW).from(NOW + 7)).isEqualTo(NOW + 7);
        assertThat(ExpiryTime.at(Long.MIN_VALUE).from(NOW)).isEqualTo(NOW);
    }

    @Test
    void anExpiryThatChangesManyTimesIsWhatItsStepsSay() {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            ExpiryTime expiry = simple(random);
            LongUnaryOperator expected = expiry::from;
            for (int step = 0; step < 12; step++) {
                LongUnaryOperator before = expected;
                ExpiryTime other = simple(random);
                long millis = random.nextInt(20) == 0 ? far(random) : random.nextInt(50);
                switch (random.nextInt(3)) {
                    case 0 -> {
                        expiry = expiry.orLater(other);
                        expected = now -> Math.max(before.applyAsLong(now), other.from(now));
                    }
                    case 1 -> {
                        expiry = expiry.orEarlier(other);
                        expected = now -> Math.min(before.applyAsLong(now), other.from(now));
                    }
                    default -> {
                        expiry = expiry.plus(millis);
                        expected = now -> moved(before.applyAsLong(now), millis);
                    }
                }
            }
            for (long now = NOW; now < NOW + 200; now += 7) {
                assertThat(expiry.from(now)).as("round %d", round).isEqualTo(expected.applyAsLong(now));
            }
        }
    }

    /** As if an earlier commit had made the expiry. */
    private static long moved(long expiry, long millis) {
        return expiry > Millis.MAX ? expiry : Math.min(expiry + millis, Millis.MAX);
    }

    private static long far(Random random) {
        return Millis.MAX / (1 + random.nextInt(3)) - random.nextInt((int) NOW + 300);
    }

    private static ExpiryTime simple(Random random) {
        return switch (random.nextInt(20) == 0 ? 5 : random.nextInt(5)) {
            case 5 -> random.nextBoolean() ? ExpiryTime.at(far(random)) : ExpiryTime.afterMillis(far(random));
            case 0 -> ExpiryTime.NEVER;
            case 1 -> ExpiryTime.NOW;
            case 2 -> ExpiryTime.at(NOW + random.nextInt(300) - 50);
            case 3 -> ExpiryTime.exactly(NOW + random.nextInt(300));
            default -> ExpiryTime.afterMillis(random.nextInt(200) + 1);
        };
    }

    @Test
    void anExpiryMovesNotBeyondTheLatestTimeAndAPermanentOneStays() {
        assertThat(ExpiryTime.at(NOW).plus(Millis.MAX).from(0)).isEqualTo(Millis.MAX);
        assertThat(ExpiryTime.at(NOW).plus(Millis.MAX).plus(Millis.MAX).from(0)).isEqualTo(Millis.MAX);
        assertThat(ExpiryTime.afterMillis(Millis.MAX).plus(Millis.MAX).from(NOW))
                .isEqualTo(NOW + Millis.MAX);
        assertThat(ExpiryTime.afterMillis(Millis.MAX).plus(9).plus(9).from(NOW)).isEqualTo(NOW + Millis.MAX);
        assertThat(ExpiryTime.NEVER.plus(5).from(NOW)).isEqualTo(Row.NEVER);
    }
}
