package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.function.DoubleSupplier;

import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.support.Thrown;
import dev.ttlstore.expiry.ExpirySettings;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Decides when a failed delivery is retried: after a delay that doubles each time. A random part of up to half the
 * delay is left out, so that deliveries that failed together are not all retried together ("equal jitter", M.
 * Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015).
 *
 * @param settings attempts and delays
 * @param random returns numbers from 0 to below 1
 */
record RetryPolicy(ExpirySettings settings, DoubleSupplier random) {

    /** The longest stored description. It may have any length, and each failure stores one. */
    private static final int MAX_ERROR_CHARS = 1_000;

    /** Decides what happens to a delivery that has just failed. */
    DeliveryUpdate afterFailure(Delivery delivery, Throwable failure, long now) {
        int attempts = delivery.attempts() + 1;
        long nextAt = attempts >= settings.maxAttempts() ? Row.NEVER : now + delay(attempts);
        return new DeliveryUpdate(delivery.id(), attempts, nextAt, error(failure));
    }

    /** Decides when a delivery is tried again whose handler could not be called. */
    DeliveryUpdate afterNoAttempt(Delivery delivery, Throwable failure, long now) {
        int attempts = delivery.attempts();
        return new DeliveryUpdate(delivery.id(), attempts, now + delay(attempts + 1), error(failure));
    }

    /** Returns the latest time to which a delivery that fails now can wait. */
    long latest(long now) {
        return now + millis(settings.maxDelay());
    }

    private long delay(int attempts) {
        long first = millis(settings.firstDelay());
        long whole = millis(settings.maxDelay());
        int doublings = attempts - 1;
        if (doublings < Long.numberOfLeadingZeros(first) - 1) {
            whole = Math.min(whole, first << doublings);
        }
        return Math.max(1, (long) (whole * (0.5 + random.getAsDouble() / 2)));
    }

    private static String error(Throwable failure) {
        String error = storable(line(failure));
        if (error.length() <= MAX_ERROR_CHARS) {
            return error;
        }
        boolean splits = Character.isHighSurrogate(error.charAt(MAX_ERROR_CHARS - 1));
        return error.substring(0, splits ? MAX_ERROR_CHARS - 1 : MAX_ERROR_CHARS) + "…";
    }

    /** Replaces what not every engine can store: NUL, and halves of surrogate pairs. */
    private static String storable(String text) {
        return new String(text.replace('\0', '?').getBytes(UTF_8), UTF_8);
    }

    /** Describes a failure. The handler's own code has created it, and may fail as well. */
    private static String line(Throwable failure) {
        try {
            return Thrown.line(failure);
        } catch (RuntimeException | Error e) {
            return failure.getClass().getName() + ", which does not say more, because of "
                    + e.getClass().getName();
        }
    }

    /** Converts a delay. Delays of more than a million years are treated alike. */
    private static long millis(Duration duration) {
        long most = Long.MAX_VALUE / 1_000_000;
        return duration.compareTo(Duration.ofMillis(most)) > 0 ? most : Math.max(1, duration.toMillis());
    }
}
