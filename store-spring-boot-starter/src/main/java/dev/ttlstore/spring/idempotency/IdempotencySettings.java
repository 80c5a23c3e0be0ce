package dev.ttlstore.spring.idempotency;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Settings of idempotent requests.
 *
 * @param ttl how long an answer is kept and repeated
 * @param runningTimeout how long a request without an answer keeps others with its key out, in case its instance was killed
 * @param maxRequestSize the largest body of a request with a key, in bytes
 * @param requiredPaths patterns of paths whose POST and PATCH requests must have a key, such as {@code /payments/**}
 */
public record IdempotencySettings(
        Duration ttl, Duration runningTimeout, long maxRequestSize, List<String> requiredPaths) {

    /**
     * Checks the settings.
     *
     * @param ttl how long an answer is kept and repeated
     * @param runningTimeout how long a request without an answer keeps others with its key out
     * @param maxRequestSize the largest body of a request with a key, in bytes
     * @param requiredPaths patterns of paths whose POST and PATCH requests must have a key
     */
    public IdempotencySettings {
        requirePositive(ttl, "ttl");
        requirePositive(runningTimeout, "runningTimeout");
        if (maxRequestSize < 0 || maxRequestSize > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("'maxRequestSize' must be 0 to 1 GB, but is " + maxRequestSize);
        }
        requiredPaths = List.copyOf(requiredPaths);
    }

    private static void requirePositive(Duration duration, String parameter) {
        if (Objects.requireNonNull(duration, () -> "'" + parameter + "' must not be null")
                        .isZero()
                || duration.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must be more than zero, but is " + duration);
        }
    }
}
