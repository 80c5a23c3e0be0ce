package dev.ttlstore.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Times as engines keep them: whole milliseconds, counted from the epoch. A fraction of a millisecond is rounded up, so that
 * an entry never expires early.
 *
 * @since 0.1
 */
public final class Millis {

    /** The latest time. It leaves room between itself and {@link Row#NEVER} to add a ttl to a time: 146 million years. */
    public static final long MAX = Long.MAX_VALUE / 2;

    private Millis() {}

    /**
     * Checks a ttl.
     *
     * @param ttl the time from a write to the expiry of its entry
     * @param parameter the name of the caller's parameter
     * @return its length in milliseconds
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    public static long ofTtl(Duration ttl, String parameter) {
        if (ttl.isZero() || ttl.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must be more than zero, but is " + ttl
                    + "; to remove an entry delete it, to keep it permanently put it without a ttl");
        }
        return roundUp(parameter, ttl.getSeconds(), ttl.getNano(), ttl);
    }

    /**
     * Checks a time span that may be zero.
     *
     * @param duration the time span
     * @param parameter the name of the caller's parameter
     * @return its length in milliseconds
     * @throws IllegalArgumentException if it is negative, or above 146 million years
     */
    public static long of(Duration duration, String parameter) {
        if (duration.isNegative() || duration.toSeconds() >= MAX / 1000) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must be zero to 146 million years, but is " + duration);
        }
        return roundUp(parameter, duration.getSeconds(), duration.getNano(), duration);
    }

    /**
     * Converts a time to compare entries with.
     *
     * @param time the time; one after {@link #MAX} counts as {@link #MAX}
     * @param parameter the name of the caller's parameter
     * @return milliseconds since the epoch
     */
    public static long of(Instant time, String parameter) {
        Objects.requireNonNull(time, () -> "'" + parameter + "' must not be null");
        return time.getEpochSecond() >= MAX / 1000
                ? MAX
                : roundUp(parameter, time.getEpochSecond(), time.getNano(), time);
    }

    /**
     * Converts the time at which an entry is to expire.
     *
     * @param expiresAt the first instant at which the entry is gone
     * @param parameter the name of the caller's parameter
     * @return milliseconds since the epoch
     * @throws IllegalArgumentException if it is later than {@link #MAX}
     */
    public static long ofExpiry(Instant expiresAt, String parameter) {
        return roundUp(parameter, expiresAt.getEpochSecond(), expiresAt.getNano(), expiresAt);
    }

    /**
     * Subtracts an age from a time.
     *
     * @param age the age, zero or more
     * @param parameter the name of the caller's parameter
     * @param now the time, in milliseconds since the epoch
     * @return the earlier time, in milliseconds since the epoch
     * @throws IllegalArgumentException if the age is negative
     */
    public static long ago(Duration age, String parameter, long now) {
        Objects.requireNonNull(age, () -> "'" + parameter + "' must not be null");
        if (age.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must not be negative, but is " + age);
        }
        return age.toSeconds() >= MAX / 1000 ? Long.MIN_VALUE : now - age.toMillis();
    }

    private static long roundUp(String parameter, long seconds, int nanos, Object given) {
        if (seconds >= MAX / 1000) {
            throw new IllegalArgumentException("'" + parameter + "' is too large: " + given
                    + "; to keep an entry permanently put it without a ttl");
        }
        if (seconds < Long.MIN_VALUE / 1000) {
            return Long.MIN_VALUE;
        }
        return seconds * 1000 + (nanos + 999_999) / 1_000_000;
    }
}
