package dev.ttlstore.spring.idempotency;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Settings of idempotent requests.
 *
 * @param ttl how long an answer is kept and repeated
 * @param runningTimeout how long a request without an answer keeps others with its key out, in case its instance was killed
 * @param maxAnswerSize the largest body of an answer that is held back and kept, in bytes
 * @param maxSize the size of all answers to requests whose owner is known, in bytes; zero for no limit
 * @param maxOwnerSize the size of the answers to one owner's requests within the ttl, in bytes; zero for no limit
 * @param maxAnonymousSize the size of all answers to other requests, in bytes; zero for no limit
 * @param statuses statuses of answers that are kept, beside those of {@link #KEPT}
 * @param paths patterns of paths whose requests may have a key, such as {@code /payments/**}; all paths if empty
 * @param requiredPaths patterns of paths whose POST and PATCH requests must have a key
 * @since 0.1
 * @see IdempotencyFilter
 */
public record IdempotencySettings(
        Duration ttl,
        Duration runningTimeout,
        long maxAnswerSize,
        long maxSize,
        long maxOwnerSize,
        long maxAnonymousSize,
        Set<Integer> statuses,
        List<String> paths,
        List<String> requiredPaths) {

    private static final long MIB = 1L << 20;

    /** Statuses of answers that are always kept, beside 2xx and 3xx: what a request gets again that is sent again. */
    public static final Set<Integer> KEPT = Set.of(400, 409, 410, 422);

    /**
     * Checks the settings.
     *
     * @param ttl how long an answer is kept and repeated
     * @param runningTimeout how long a request without an answer keeps others with its key out
     * @param maxAnswerSize the largest body of an answer that is held back and kept, in bytes
     * @param maxSize the size of all answers to requests whose owner is known, in bytes; zero for no limit
     * @param maxOwnerSize the size of the answers to one owner's requests within the ttl, in bytes; zero for no limit
     * @param maxAnonymousSize the size of all answers to other requests, in bytes; zero for no limit
     * @param statuses statuses of answers that are kept as well, from 400 to 599
     * @param paths patterns of paths whose requests may have a key; all paths if empty
     * @param requiredPaths patterns of paths whose POST and PATCH requests must have a key
     */
    public IdempotencySettings {
        requirePositive(ttl, "ttl");
        requirePositive(runningTimeout, "runningTimeout");
        if (maxAnswerSize < 0 || maxAnswerSize > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("'maxAnswerSize' must be 0 to 1 GB, but is " + maxAnswerSize);
        }
        requireNotNegative(maxSize, "maxSize");
        requireNotNegative(maxOwnerSize, "maxOwnerSize");
        requireNotNegative(maxAnonymousSize, "maxAnonymousSize");
        statuses = Set.copyOf(statuses);
        statuses.forEach(status -> {
            if (status < 400 || status > 599) {
                throw new IllegalArgumentException("'statuses' must be 400 to 599, but there is " + status);
            }
        });
        paths = List.copyOf(paths);
        requiredPaths = List.copyOf(requiredPaths);
    }

    /**
     * Returns settings with a ttl of a day, a running timeout of five minutes, answers of a mebibyte at most, 100 MiB of answers, 10 MiB of
     * those to one owner and to requests without an owner, and all paths.
     *
     * @return the settings
     */
    public static IdempotencySettings defaults() {
        return new IdempotencySettings(
                Duration.ofDays(1),
                Duration.ofMinutes(5),
                MIB,
                100 * MIB,
                10 * MIB,
                10 * MIB,
                Set.of(),
                List.of(),
                List.of());
    }

    /** Tests whether an answer is kept. Otherwise its request may be sent again, and takes effect again. */
    boolean keeps(int status) {
        return (status >= 200 && status < 400) || KEPT.contains(status) || statuses.contains(status);
    }

    private static void requireNotNegative(long size, String parameter) {
        if (size < 0) {
            throw new IllegalArgumentException("'" + parameter + "' must not be negative, but is " + size);
        }
    }

    private static void requirePositive(Duration duration, String parameter) {
        if (Objects.requireNonNull(duration, () -> "'" + parameter + "' must not be null")
                        .isZero()
                || duration.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must be more than zero, but is " + duration);
        }
    }
}
