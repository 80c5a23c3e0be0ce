package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(17)
class RetryPolicyTests {

    private static final long NOW = 1_000_000;

    private final ExpirySettings settings =
            ExpirySettings.defaults().withMaxAttempts(6).withDelays(Duration.ofSeconds(1), Duration.ofSeconds(10));

    @Test
    void theDelayDoublesUpToTheLongest() {
        assertThat(delays(new RetryPolicy(settings, () -> 1))).containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 10_000L);
    }

    @Test
    void ofTheDelayAHalfAtMostIsLeftOut() {
        assertThat(delays(new RetryPolicy(settings, () -> 0))).containsExactly(500L, 1_000L, 2_000L, 4_000L, 5_000L);
    }

    @Test
    void afterTheLastAttemptThereIsNoFurtherOne() {
        DeliveryUpdate update =
                new RetryPolicy(settings, () -> 0).afterFailure(delivery(5), new IllegalStateException("no"), NOW);
        assertThat(update).isEqualTo(new DeliveryUpdate(7, 6, Row.NEVER, update.error()));
    }

    @Test
    void withoutAnAttemptTheCountStaysAndThereIsAlwaysAFurtherOne() {
        DeliveryUpdate update =
                new RetryPolicy(settings, () -> 1).afterNoAttempt(delivery(1), new IllegalStateException("no"), NOW);
        assertThat(update).isEqualTo(new DeliveryUpdate(7, 1, NOW + 2_000, update.error()));
        assertThat(new RetryPolicy(settings, () -> 1)
                        .afterNoAttempt(delivery(5), new IllegalStateException("no"), NOW)
                        .nextAt())
                .isEqualTo(NOW + 10_000);
    }

    @Test
    void delaysOfAnyLengthAndAnyNumberOfAttemptsAreRight() {
        ExpirySettings extreme = settings.withMaxAttempts(Integer.MAX_VALUE)
                .withDelays(Duration.ofNanos(1), Duration.ofSeconds(Long.MAX_VALUE));
        RetryPolicy policy = new RetryPolicy(extreme, () -> 0.5);
        long before = 0;
        for (int attempts : List.of(0, 1, 10, 40, 61, 62, 63, 64, 65, 1_000, Integer.MAX_VALUE - 2)) {
            long delay = policy.afterFailure(delivery(attempts), new IllegalStateException(), NOW)
                            .nextAt()
                    - NOW;
            assertThat(delay).isPositive().isGreaterThanOrEqualTo(before);
            before = delay;
        }
    }

    @Test
    void aFailureThatFailsWhenItIsLookedAtIsItsClass() {
        Throwable failure = new IllegalStateException() {
            private static final long serialVersionUID = 1;

            @Override
            public synchronized Throwable getCause() {
                throw new AssertionError("on purpose");
            }
        };
        assertThat(error(failure)).startsWith(failure.getClass().getName()).contains("AssertionError");
    }

    @Test
    void aLongDescriptionIsCutBetweenCharacters() {
        String begin = "dev.ttlstore.exception.StoreException: ";
        String even = "x".repeat(1_000 - begin.length());
        assertThat(error(nowhere(even))).isEqualTo(begin + even);
        assertThat(error(nowhere(even + "yz"))).isEqualTo(begin + even + "…");
        String odd = even.substring(1);
        assertThat(error(nowhere(odd + "😀"))).isEqualTo(begin + odd + "…");
    }

    private static StoreException nowhere(String message) {
        StoreException failure = new StoreException(message);
        failure.setStackTrace(new StackTraceElement[0]);
        return failure;
    }

    @Test
    void whatCannotBeStoredIsReplaced() {
        StoreException failure = new StoreException("") {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                return "NUL \0 and half of a pair \ud83d";
            }
        };
        assertThat(error(failure)).contains("NUL ? and half of a pair ?");
    }

    private String error(Throwable failure) {
        return String.valueOf(new RetryPolicy(settings, () -> 0)
                .afterFailure(delivery(0), failure, NOW)
                .error());
    }

    private static List<Long> delays(RetryPolicy policy) {
        List<Long> delays = new ArrayList<>();
        for (int attempts = 0; attempts < 5; attempts++) {
            DeliveryUpdate update = policy.afterFailure(delivery(attempts), new IllegalStateException(), NOW);
            assertThat(update.attempts()).isEqualTo(attempts + 1);
            delays.add(update.nextAt() - NOW);
        }
        return delays;
    }

    private static Delivery delivery(int attempts) {
        return new Delivery(7, "mail", new RowKey("group", "key"), 1, NOW, attempts, NOW, null);
    }
}
