package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.ttlstore.engine.Row;

/** When an entry that is being written shall expire: the one place where a ttl is checked and turned into a time. */
@FunctionalInterface
public interface Expiry {

    /** The entry does not expire. */
    Expiry NEVER = now -> Row.NEVER;

    /** The entry expires with the write. */
    Expiry NOW = now -> now;

    /** The last time that can be told from {@link Row#NEVER} with room to add a ttl to a time: 146 million years. */
    long MAX_MILLIS = Long.MAX_VALUE / 2;

    /**
     * Fixes the expiry.
     *
     * @param now the time of the write, in milliseconds since the epoch
     * @return the expiry, in the same measure, or {@link Row#NEVER}
     */
    long from(long now);

    /**
     * Some time after the write.
     *
     * @param ttl how long; a fraction of a millisecond is rounded up
     * @return the expiry
     * @throws IllegalArgumentException if the ttl is zero, negative, or longer than time itself
     */
    static Expiry after(Duration ttl) {
        return after(ttl, "ttl");
    }

    /**
     * Some time after the write, as {@link #after(Duration)} tells it.
     *
     * @param ttl how long
     * @param parameter the name of the caller's parameter
     * @return the expiry
     * @throws IllegalArgumentException if the ttl is zero, negative, or longer than time itself
     */
    static Expiry after(Duration ttl, String parameter) {
        if (ttl.isZero() || ttl.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must be more than zero, but is " + ttl
                    + "; to remove an entry delete it, to keep it for good put it without a ttl");
        }
        long millis = millisRoundedUp(parameter, ttl.getSeconds(), ttl.getNano(), ttl);
        return now -> now + millis;
    }

    /**
     * At a time.
     *
     * @param expiresAt the first instant at which the entry is gone; a fraction of a millisecond is rounded up
     * @param now the time to compare it with, in milliseconds since the epoch
     * @return the expiry
     * @throws IllegalArgumentException if the time is not in the future, or too far in it
     */
    static Expiry at(Instant expiresAt, long now) {
        long millis = millisRoundedUp("expiresAt", expiresAt.getEpochSecond(), expiresAt.getNano(), expiresAt);
        if (millis <= now) {
            throw new IllegalArgumentException("'expiresAt' must be in the future, but is " + expiresAt
                    + " while the store's time is " + Instant.ofEpochMilli(now) + "; to remove an entry delete it");
        }
        return ignored -> millis;
    }

    /**
     * A time as the engine knows it.
     *
     * @param time the time; one beyond what can be told counts as the end or the beginning of time
     * @param parameter the name of the caller's parameter
     * @return milliseconds since the epoch; a fraction is rounded up
     */
    static long millis(Instant time, String parameter) {
        Objects.requireNonNull(time, () -> "'" + parameter + "' must not be null");
        if (time.getEpochSecond() >= MAX_MILLIS / 1000) {
            return MAX_MILLIS;
        }
        return millisRoundedUp(parameter, time.getEpochSecond(), time.getNano(), time);
    }

    /**
     * The length of a time as the engine counts it.
     *
     * @param duration the time, zero or more; a fraction of a millisecond is rounded up
     * @param parameter the name of the caller's parameter
     * @return milliseconds
     * @throws IllegalArgumentException if it is negative, or above 146 million years
     */
    static long length(Duration duration, String parameter) {
        if (duration.isNegative() || duration.toSeconds() >= MAX_MILLIS / 1000) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must be zero to 146 million years, but is " + duration);
        }
        return millisRoundedUp(parameter, duration.getSeconds(), duration.getNano(), duration);
    }

    /**
     * A time in the past.
     *
     * @param age how long ago; zero or more
     * @param parameter the name of the caller's parameter
     * @param now the time to count from, in milliseconds since the epoch
     * @return the time, in the same measure
     * @throws IllegalArgumentException if the age is negative
     */
    static long ago(Duration age, String parameter, long now) {
        if (age.isNegative()) {
            throw new IllegalArgumentException("'" + parameter + "' must not be negative, but is " + age);
        }
        return age.toSeconds() >= MAX_MILLIS / 1000 ? Long.MIN_VALUE : now - age.toMillis();
    }

    private static long millisRoundedUp(String parameter, long seconds, int nanos, Object given) {
        if (seconds >= MAX_MILLIS / 1000) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' is too large: " + given + "; to keep an entry for good put it without a ttl");
        }
        if (seconds < Long.MIN_VALUE / 1000) {
            return Long.MIN_VALUE;
        }
        return seconds * 1000 + (nanos + 999_999) / 1_000_000;
    }
}
