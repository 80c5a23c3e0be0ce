package dev.ttlstore;

import java.time.Duration;
import java.util.List;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Promise(17)
class ExpirySettingsTests {

    private final ExpirySettings defaults = ExpirySettings.defaults();

    @Test
    void eachSettingIsSetAlone() {
        assertThat(defaults.withConcurrency(2)
                        .withMaxAttempts(3)
                        .withDelays(Duration.ofMillis(4), Duration.ofMillis(5))
                        .withTimeout(Duration.ofMillis(6))
                        .withMaxBacklog(7)
                        .withVirtualThreads(true))
                .isEqualTo(new ExpirySettings(
                        2, 3, Duration.ofMillis(4), Duration.ofMillis(5), Duration.ofMillis(6), 7, true));
    }

    @Test
    void whatIsOutOfBoundsIsRefusedByName() {
        Duration second = Duration.ofSeconds(1);
        refused("concurrency", () -> defaults.withConcurrency(0), () -> defaults.withConcurrency(1_001));
        refused("maxAttempts", () -> defaults.withMaxAttempts(0));
        refused("firstDelay", () -> defaults.withDelays(Duration.ZERO, second));
        refused(
                "maxDelay",
                () -> defaults.withDelays(second, Duration.ofMillis(-1)),
                () -> defaults.withDelays(second, Duration.ofMillis(999)));
        refused("timeout", () -> defaults.withTimeout(Duration.ZERO));
        refused("maxBacklog", () -> defaults.withMaxBacklog(0));
    }

    private static void refused(String parameter, ThrowingCallable... calls) {
        for (ThrowingCallable call : List.of(calls)) {
            assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining("'" + parameter + "'");
        }
    }
}
