package dev.ttlstore.spring.expiry;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of expiry handling.
 *
 * @param concurrency Number of concurrent calls of one subscriber's method, 1 to 1,000.
 * @param maxAttempts Number of attempts to handle an expiry before it becomes a dead letter.
 * @param firstDelay Approximate delay after the first failure. It doubles with each further failure.
 * @param maxDelay Maximum delay after a failure. At least the first delay.
 * @param timeout Time after which the thread of a call is interrupted and the attempt counts as failed.
 * @param maxBacklog Approximate number of expiries to keep for a subscriber whose method has been missing for
 *     five minutes. Beyond that the oldest are dropped.
 * @param onTime Whether to notify listeners, watches and subscribers as soon as an entry expires, instead of at
 *     the next purge.
 * @since 0.1
 * @see OnExpiry
 */
@ConfigurationProperties("store.expiry")
public record StoreExpiryProperties(
        @DefaultValue("8") int concurrency,
        @DefaultValue("10") int maxAttempts,
        @DefaultValue("1s") Duration firstDelay,
        @DefaultValue("5m") Duration maxDelay,
        @DefaultValue("1m") Duration timeout,
        @DefaultValue("100000") int maxBacklog,
        @DefaultValue("true") boolean onTime) {}
