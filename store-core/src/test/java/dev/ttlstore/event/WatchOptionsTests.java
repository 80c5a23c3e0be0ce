package dev.ttlstore.event;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(15)
class WatchOptionsTests {

    @Test
    void unlessAskedOtherwiseTheOldestOfAThousandAreDropped() {
        assertThat(WatchOptions.defaults()).isEqualTo(new WatchOptions(1_024, Overflow.DROP_OLDEST));
    }

    @Test
    void eachOptionCanBeChangedByItself() {
        assertThat(WatchOptions.defaults().withCapacity(7)).isEqualTo(new WatchOptions(7, Overflow.DROP_OLDEST));
        assertThat(WatchOptions.defaults().withOverflow(Overflow.LATEST_PER_KEY))
                .isEqualTo(new WatchOptions(1_024, Overflow.LATEST_PER_KEY));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000_000})
    void aCapacityUpToTheLimitsIsAccepted(int capacity) {
        assertThat(WatchOptions.defaults().withCapacity(capacity).capacity()).isEqualTo(capacity);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1_000_001, Integer.MAX_VALUE})
    void aCapacityBeyondTheLimitsIsRefused(int capacity) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> WatchOptions.defaults().withCapacity(capacity))
                .withMessage("'capacity' must be between 1 and 1,000,000, but is " + capacity);
    }

    @Test
    @SuppressWarnings("NullAway") // to see it refused
    void noOverflowIsRefused() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> WatchOptions.defaults().withOverflow(null))
                .withMessage("'overflow' must not be null");
    }
}
