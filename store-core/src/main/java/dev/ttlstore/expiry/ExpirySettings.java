package dev.ttlstore.expiry;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings for the delivery of expiries to handlers. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * Store store = Store.builder()
 *         .path(Path.of("app.db"))
 *         .expiry(ExpirySettings.defaults().withMaxAttempts(5).withTimeout(Duration.ofSeconds(20)))
 *         .open();
 * }</pre>
 *
 * @param concurrency how many calls of one subscriber's handler run at a time, 1 to 1,000; 8 by default
 * @param maxAttempts how many attempts an expiry has before it becomes a dead letter, at least 1; 10 by default
 * @param firstDelay the approximate delay after the first failure, more than zero; one second by default. The delay
 *     doubles with each further failure
 * @param maxDelay the longest delay, at least the first; 5 minutes by default
 * @param timeout how long a call may take, more than zero; one minute by default. After that, its thread is
 *     interrupted and the attempt counts as failed
 * @param maxBacklog approximately how many expiries are kept for a subscriber whose handler has been missing for 5
 *     minutes, at least 1; 100,000 by default. Beyond that, the oldest are dropped
 * @param virtualThreads whether handlers run in virtual threads, which require Java 21; false by default, for platform
 *     threads
 * @since 0.1
 * @see dev.ttlstore.StoreBuilder#expiry
 * @see ExpiryHandler
 */
public record ExpirySettings(
        int concurrency,
        int maxAttempts,
        Duration firstDelay,
        Duration maxDelay,
        Duration timeout,
        int maxBacklog,
        boolean virtualThreads) {

    private static final int MAX_CONCURRENCY = 1_000;

    private static final ExpirySettings DEFAULTS = new ExpirySettings(
            8, 10, Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofMinutes(1), 100_000, false);

    /**
     * Checks the settings.
     *
     * @param concurrency how many calls of one subscriber's handler run at a time
     * @param maxAttempts how many attempts an expiry has
     * @param firstDelay the delay after the first failure
     * @param maxDelay the longest delay
     * @param timeout how long a call may take
     * @param maxBacklog how many expiries are kept for a subscriber whose handler is missing
     * @param virtualThreads whether handlers run in virtual threads
     * @throws IllegalArgumentException if one is out of bounds
     */
    public ExpirySettings {
        requireBetween(1, MAX_CONCURRENCY, concurrency, "concurrency");
        requireBetween(1, Integer.MAX_VALUE, maxAttempts, "maxAttempts");
        requirePositive(firstDelay, "firstDelay");
        requirePositive(maxDelay, "maxDelay");
        if (maxDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException(
                    "'maxDelay' must be at least 'firstDelay', " + firstDelay + ", but is " + maxDelay);
        }
        requirePositive(timeout, "timeout");
        requireBetween(1, Integer.MAX_VALUE, maxBacklog, "maxBacklog");
    }

    /**
     * Returns the default settings.
     *
     * @return the settings
     */
    public static ExpirySettings defaults() {
        return DEFAULTS;
    }

    /**
     * Sets how many calls of one subscriber's handler run at a time.
     *
     * @param calls the number, 1 to 1,000
     * @return the changed settings
     * @throws IllegalArgumentException if it is out of bounds
     */
    public ExpirySettings withConcurrency(int calls) {
        return new ExpirySettings(calls, maxAttempts, firstDelay, maxDelay, timeout, maxBacklog, virtualThreads);
    }

    /**
     * Sets how many attempts an expiry has before it becomes a dead letter.
     *
     * @param attempts the number, at least 1
     * @return the changed settings
     * @throws IllegalArgumentException if it is out of bounds
     */
    public ExpirySettings withMaxAttempts(int attempts) {
        return new ExpirySettings(concurrency, attempts, firstDelay, maxDelay, timeout, maxBacklog, virtualThreads);
    }

    /**
     * Sets the delays between attempts.
     *
     * @param first the approximate delay after the first failure, more than zero
     * @param longest the longest delay, at least the first
     * @return the changed settings
     * @throws IllegalArgumentException if one is out of bounds
     */
    public ExpirySettings withDelays(Duration first, Duration longest) {
        return new ExpirySettings(concurrency, maxAttempts, first, longest, timeout, maxBacklog, virtualThreads);
    }

    /**
     * Sets how long a call of a handler may take.
     *
     * @param longest the time, more than zero
     * @return the changed settings
     * @throws IllegalArgumentException if it is zero or negative
     */
    public ExpirySettings withTimeout(Duration longest) {
        return new ExpirySettings(concurrency, maxAttempts, firstDelay, maxDelay, longest, maxBacklog, virtualThreads);
    }

    /**
     * Sets how many expiries are kept for a subscriber whose handler is missing. A handler is missing after 5 minutes
     * without one since the store was opened or the subscription was closed. Nothing is dropped before that, because a
     * starting application may not have subscribed yet.
     *
     * @param expiries the number, at least 1
     * @return the changed settings
     * @throws IllegalArgumentException if it is out of bounds
     */
    public ExpirySettings withMaxBacklog(int expiries) {
        return new ExpirySettings(concurrency, maxAttempts, firstDelay, maxDelay, timeout, expiries, virtualThreads);
    }

    /**
     * Sets in which threads handlers run. Platform threads suit any code. Virtual threads are cheaper for handlers
     * that wait a lot, but do not suit code that holds a monitor while it waits, or keeps much per thread. Before Java
     * 21, handlers run in platform threads regardless, and the log says so.
     *
     * @param virtual true for virtual threads, false for platform threads
     * @return the changed settings
     */
    public ExpirySettings withVirtualThreads(boolean virtual) {
        return new ExpirySettings(concurrency, maxAttempts, firstDelay, maxDelay, timeout, maxBacklog, virtual);
    }

    private static void requireBetween(int least, int most, int value, String parameter) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must be " + least + " to " + most + ", but is " + value);
        }
    }

    private static void requirePositive(Duration duration, String parameter) {
        Objects.requireNonNull(duration, () -> "'" + parameter + "' must not be null");
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must be more than zero, but is " + duration);
        }
    }
}
