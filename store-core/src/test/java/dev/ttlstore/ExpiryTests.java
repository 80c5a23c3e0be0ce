package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

@Promise(2)
class ExpiryTests {

    private static Stream<Function<Duration, Expiry>> durations() {
        return Stream.of(Expiry::after, Expiry::afterCreation, Expiry::afterUpdate, Expiry::later);
    }

    @ParameterizedTest
    @MethodSource("durations")
    void aDurationMustBeMoreThanZero(Function<Duration, Expiry> factory) {
        for (Duration bad : new Duration[] {Duration.ZERO, Duration.ofMillis(-1), Duration.ofSeconds(Long.MIN_VALUE)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> factory.apply(bad))
                    .withMessageMatching("'(ttl|more)' must be more than zero, but is .*");
        }
    }

    @ParameterizedTest
    @MethodSource("durations")
    void aDurationBeyondAllTimeIsRefused(Function<Duration, Expiry> factory) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> factory.apply(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageMatching("'(ttl|more)' is too large.*");
    }

    @ParameterizedTest
    @MethodSource("durations")
    void aFractionOfAMillisecondIsRoundedUp(Function<Duration, Expiry> factory) {
        assertThat(factory.apply(Duration.ofNanos(1)).millis()).isEqualTo(1);
        assertThat(factory.apply(Duration.ofNanos(1_000_001)).millis()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:16:40.001Z, 1000001",
        "1970-01-01T00:16:40.000000001Z, 1000001",
        "1970-01-01T00:16:40.001000001Z, 1000002",
        "1969-12-31T23:59:59.999Z, -1"
    })
    void aTimeIsRoundedUpToTheMillisecond(Instant expiresAt, long millis) {
        assertThat(Expiry.at(expiresAt).millis()).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1000000000-01-01T00:00:00Z", "1970-01-01T00:00:00Z"})
    void aTimeLongAgoIsAccepted(Instant expiresAt) {
        assertThat(Expiry.at(expiresAt).millis()).isNotPositive();
    }

    @Test
    void theEndOfTimeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Expiry.at(Instant.MAX))
                .withMessageStartingWith("'expiresAt' is too large");
    }

    @Test
    void nullIsRefusedByName() {
        assertThatNullPointerException()
                .isThrownBy(() -> Expiry.after(nothing()))
                .withMessageContaining("'ttl'");
        assertThatNullPointerException().isThrownBy(() -> Expiry.at(nothing())).withMessageContaining("'expiresAt'");
        assertThatNullPointerException()
                .isThrownBy(() -> Expiry.later(nothing()))
                .withMessageContaining("'more'");
    }

    @ParameterizedTest
    @CsvSource({"NEVER, 1", "NOW, -1", "CURRENT, -1", "CREATION, 9223372036854775807", "EPOCH, 9223372036854775807"})
    void partsThatMakeNoExpiryAreRefused(Expiry.Start start, long millis) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Expiry(start, millis, Expiry.Condition.ALWAYS))
                .withMessageContaining("'millis'");
    }

    @Test
    void expiriesAreValues() {
        assertThat(Expiry.after(Duration.ofSeconds(1)))
                .isEqualTo(Expiry.after(Duration.ofSeconds(1)))
                .isNotEqualTo(Expiry.after(Duration.ofSeconds(1)).ifLater());
        assertThat(Expiry.after(Duration.ofSeconds(1)).ifLater().ifEarlier())
                .isEqualTo(Expiry.after(Duration.ofSeconds(1)).ifEarlier());
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // null on purpose
    private static <T> T nothing() {
        return null;
    }
}
