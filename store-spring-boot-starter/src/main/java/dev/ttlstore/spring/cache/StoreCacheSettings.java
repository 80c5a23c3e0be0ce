package dev.ttlstore.spring.cache;

import java.time.Duration;
import java.util.Objects;

import dev.ttlstore.Codec;
import dev.ttlstore.Expiry;

/**
 * Settings of one cache.
 *
 * @param ttl how long an entry lives after it was put; zero for ever
 * @param nullValues whether null is cached as a value; otherwise caching null is an error
 * @param codec encodes the values, none of which is null
 */
public record StoreCacheSettings(Duration ttl, boolean nullValues, Codec<Object> codec) {

    /**
     * Checks the settings.
     *
     * @param ttl how long an entry lives after it was put; zero for ever
     * @param nullValues whether null is cached as a value
     * @param codec encodes the values
     */
    public StoreCacheSettings {
        Objects.requireNonNull(ttl, "'ttl' must not be null");
        Objects.requireNonNull(codec, "'codec' must not be null");
        if (ttl.isNegative()) {
            throw new IllegalArgumentException("'ttl' must not be negative, but is " + ttl);
        }
    }

    Expiry expiry() {
        return ttl.isZero() ? Expiry.never() : Expiry.after(ttl);
    }
}
