package dev.ttlstore.spring.cache;

import java.time.Duration;
import java.util.Objects;

import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;

/**
 * Settings of one cache.
 *
 * @param ttl how long an entry lives at most after it was put; zero for ever
 * @param timeToIdle how long an entry lives that nobody reads; zero for no such limit
 * @param nullValues whether null is cached as a value; otherwise caching null is an error
 * @param codec encodes the values; it never gets null
 * @since 0.1
 * @see StoreCacheManager
 */
public record StoreCacheSettings(Duration ttl, Duration timeToIdle, boolean nullValues, Codec<Object> codec) {

    /**
     * Checks the settings.
     *
     * @param ttl how long an entry lives at most after it was put; zero for ever
     * @param timeToIdle how long an entry lives that is not read, shorter than the ttl; zero if that does not matter
     * @param nullValues whether null is cached as a value
     * @param codec encodes the values
     */
    public StoreCacheSettings {
        Objects.requireNonNull(ttl, "'ttl' must not be null");
        Objects.requireNonNull(timeToIdle, "'timeToIdle' must not be null");
        Objects.requireNonNull(codec, "'codec' must not be null");
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("'ttl' must not be negative, but is " + ttl);
        }
        if (timeToIdle.isNegative()) {
            throw new IllegalArgumentException("'timeToIdle' must not be negative, but is " + timeToIdle);
        }
        if (!ttl.isZero() && timeToIdle.compareTo(ttl) >= 0) {
            throw new IllegalArgumentException(
                    "'timeToIdle' must be shorter than 'ttl', which is the limit of all entries, but is " + timeToIdle
                            + ", and 'ttl' is " + ttl);
        }
    }

    /**
     * Creates settings without a time to idle.
     *
     * @param ttl how long an entry lives after it was put; zero for ever
     * @param nullValues whether null is cached as a value
     * @param codec encodes the values
     */
    public StoreCacheSettings(Duration ttl, boolean nullValues, Codec<Object> codec) {
        this(ttl, Duration.ZERO, nullValues, codec);
    }

    /** Returns the expiry of an entry that is put. */
    Expiry expiry() {
        Duration first = timeToIdle.isZero() ? ttl : timeToIdle;
        return first.isZero() ? Expiry.never() : Expiry.after(first);
    }
}
