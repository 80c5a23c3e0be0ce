package dev.ttlstore.engine;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MillisTests {

    private static final long NOW = 1_000_000;

    @Test
    void anAgeIsCountedBackFromNow() {
        assertThat(Millis.ago(Duration.ZERO, "maxAge", NOW)).isEqualTo(NOW);
        assertThat(Millis.ago(Duration.ofMillis(3), "maxAge", NOW)).isEqualTo(NOW - 3);
        assertThat(Millis.ago(Duration.ofSeconds(Long.MAX_VALUE), "maxAge", NOW))
                .isEqualTo(Long.MIN_VALUE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Millis.ago(Duration.ofNanos(-1), "maxAge", NOW))
                .withMessageStartingWith("'maxAge' must not be negative");
    }

    @Test
    void aTimeBeyondAllOthersIsTheEndOrTheBeginning() {
        assertThat(Millis.of(Instant.ofEpochSecond(7, 1), "from")).isEqualTo(7_001);
        assertThat(Millis.of(Instant.MAX, "to")).isEqualTo(Millis.MAX);
        assertThat(Millis.of(Instant.MIN, "from")).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void aLengthIsRoundedUpAndBounded() {
        assertThat(Millis.of(Duration.ZERO, "retention")).isZero();
        assertThat(Millis.of(Duration.ofNanos(1), "retention")).isOne();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Millis.of(Duration.ofNanos(-1), "retention"))
                .withMessageStartingWith("'retention' must be zero to");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Millis.of(Duration.ofSeconds(Long.MAX_VALUE), "retention"))
                .withMessageStartingWith("'retention' must be zero to");
    }
}
