package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.time.Instant;

import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Row;

/** Computes the expiry of an entry from the time of the write. */
@FunctionalInterface
public interface Expiry {

    /** The entry does not expire. */
    Expiry NEVER = now -> Row.NEVER;

    /** The entry expires with the write. */
    Expiry NOW = now -> now;

    /**
     * Computes the expiry.
     *
     * @param now the time of the write, in milliseconds since the epoch
     * @return the expiry, in milliseconds since the epoch, or {@link Row#NEVER}
     */
    long from(long now);

    /**
     * Expires an entry some time after the write.
     *
     * @param ttl the time, more than zero; a fraction of a millisecond is rounded up
     * @return the expiry
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    static Expiry after(Duration ttl) {
        return after(ttl, "ttl");
    }

    /**
     * Expires an entry some time after the write, as {@link #after(Duration)} does.
     *
     * @param ttl the time, more than zero
     * @param parameter the name of the caller's parameter
     * @return the expiry
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    static Expiry after(Duration ttl, String parameter) {
        long millis = Millis.ofTtl(ttl, parameter);
        return now -> now + millis;
    }

    /**
     * Expires an entry at a time.
     *
     * @param expiresAt the first instant at which the entry is gone; a fraction of a millisecond is rounded up
     * @param now the store's time, in milliseconds since the epoch
     * @return the expiry
     * @throws IllegalArgumentException if {@code expiresAt} is not in the future, or too far in it
     */
    static Expiry at(Instant expiresAt, long now) {
        long millis = Millis.ofExpiry(expiresAt, "expiresAt");
        if (millis <= now) {
            throw new IllegalArgumentException("'expiresAt' must be in the future, but is " + expiresAt
                    + " while the store's time is " + Instant.ofEpochMilli(now) + "; to remove an entry delete it");
        }
        return ignored -> millis;
    }
}
