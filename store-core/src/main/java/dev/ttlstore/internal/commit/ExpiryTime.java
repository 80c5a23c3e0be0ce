package dev.ttlstore.internal.commit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Row;

/** Computes the expiry of an entry from the time of the write. It is also the rule that does not look at the entry. */
@FunctionalInterface
public interface ExpiryTime extends ExpiryRule {

    /** The entry does not expire. */
    ExpiryTime NEVER = now -> Row.NEVER;

    /** The entry expires with the write. */
    ExpiryTime NOW = now -> now;

    /**
     * Computes the expiry.
     *
     * @param now the time of the write, in milliseconds since the epoch
     * @return the expiry, in milliseconds since the epoch, or {@link Row#NEVER}; not before {@code now}
     */
    long from(long now);

    @Override
    @SuppressWarnings(
            "FunctionalInterfaceMethodChanged") // no lambda can be both, because they take different arguments
    default ExpiryTime of(Draft draft, @Nullable Row live) {
        return this;
    }

    /**
     * Expires an entry some time after the write.
     *
     * @param ttl the time, more than zero; a fraction of a millisecond is rounded up
     * @return the expiry
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    static ExpiryTime after(Duration ttl) {
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
    static ExpiryTime after(Duration ttl, String parameter) {
        return afterMillis(Millis.ofTtl(ttl, parameter));
    }

    /**
     * Expires an entry some time after the write.
     *
     * @param millis the time in milliseconds, at most {@link Millis#MAX}
     * @return the expiry
     */
    static ExpiryTime afterMillis(long millis) {
        return now -> now + millis;
    }

    /**
     * Expires an entry at a time.
     *
     * @param time the first time at which the entry is gone, in milliseconds since the epoch; a past one counts as the
     *     time of the write, because the entry has been visible until then
     * @return the expiry
     */
    static ExpiryTime at(long time) {
        return now -> Math.max(time, now);
    }
}
