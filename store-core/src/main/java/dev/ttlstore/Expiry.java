package dev.ttlstore;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.ttlstore.engine.Millis;

/**
 * When an entry expires: after a ttl, at a time, never, or relative to its present expiry. Every method that sets an
 * expiry takes one.
 *
 * <pre>{@code
 * TextGroup tokens = store.group("tokens");
 * tokens.put("t1", "anna", Expiry.at(Instant.parse("2030-01-01T00:00:00Z")));
 * tokens.put("t1", "ben", Expiry.keep());
 * tokens.expire("t1", Expiry.after(Duration.ofMinutes(30)).ifLater());
 * tokens.expireAll(Expiry.afterCreation(Duration.ofDays(20)));
 * }</pre>
 *
 * <p>A time that is not in the future counts as now: the entry is gone at once. Its expiry is published, and handled
 * by {@code onExpired}, like every other. Fractions of a millisecond are rounded up. An expiry is at most 146 million
 * years away.
 *
 * @param start the time from which the expiry counts
 * @param millis the milliseconds between that time and the expiry
 * @param condition whether the expiry applies if it is earlier or later than the one that a live entry already has
 * @since 0.1
 * @see Group#put(String,Object,Expiry)
 * @see Group#expire(String,Expiry)
 * @see GroupSettings#withTtl
 */
public record Expiry(Start start, long millis, Condition condition) {

    private static final Expiry NEVER = new Expiry(Start.NEVER, 0);
    private static final Expiry NOW = new Expiry(Start.NOW, 0);
    private static final Expiry KEEP = new Expiry(Start.CURRENT, 0);
    private static final Expiry GROUP_DEFAULT = new Expiry(Start.GROUP_DEFAULT, 0);

    /** The time from which an expiry counts. */
    public enum Start {

        /** The time of the write. */
        NOW,

        /** The time when the entry was created: for a new entry, now. */
        CREATION,

        /** The time when the value was last put: for a write that puts a value, now. */
        UPDATE,

        /** The expiry that the live entry has. If there is no live entry, the group's default. */
        CURRENT,

        /** The epoch, for an absolute time. */
        EPOCH,

        /** The expiry of an entry that is put without a ttl. */
        GROUP_DEFAULT,

        /** No time: the entry does not expire. */
        NEVER
    }

    /** Whether an expiry applies to an entry that is already live. */
    public enum Condition {

        /** The expiry always applies. */
        ALWAYS,

        /** The expiry applies if it is later than the present one. */
        IF_LATER,

        /** The expiry applies if it is earlier than the present one. */
        IF_EARLIER
    }

    /**
     * Checks the parts.
     *
     * @param start the time from which the expiry counts
     * @param millis the milliseconds between that time and the expiry
     * @param condition whether the expiry applies if it is earlier or later than the present one
     * @throws IllegalArgumentException if {@code millis} is more than 146 million years, or not zero although the
     *     start is {@code NEVER}, or negative although the start is not {@code EPOCH}
     */
    public Expiry {
        Objects.requireNonNull(start, "'start' must not be null");
        Objects.requireNonNull(condition, "'condition' must not be null");
        long most = start == Start.NEVER ? 0 : Millis.MAX;
        long least = start == Start.EPOCH ? Long.MIN_VALUE : 0;
        if (millis < least || millis > most) {
            throw new IllegalArgumentException("'millis' is out of range for the start " + start + ": " + millis
                    + "; use the factory methods, which check their arguments");
        }
    }

    private Expiry(Start start, long millis) {
        this(start, millis, Condition.ALWAYS);
    }

    /**
     * Returns an expiry some time after the write.
     *
     * @param ttl how long the entry lives
     * @return the expiry
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    public static Expiry after(Duration ttl) {
        return new Expiry(Start.NOW, ttl(ttl));
    }

    /**
     * Returns an expiry some time after the creation of the entry, which overwriting does not change.
     *
     * @param ttl how long the entry lives in all
     * @return the expiry
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    public static Expiry afterCreation(Duration ttl) {
        return new Expiry(Start.CREATION, ttl(ttl));
    }

    /**
     * Returns an expiry some time after the value was last put, as if the put had had this ttl.
     *
     * @param ttl how long the entry lives from then
     * @return the expiry
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    public static Expiry afterUpdate(Duration ttl) {
        return new Expiry(Start.UPDATE, ttl(ttl));
    }

    /**
     * Returns an expiry that is later than the present one by some time. An entry that does not expire stays so. A new
     * entry gets the group's default ttl plus this time.
     *
     * @param more how much longer the entry lives
     * @return the expiry
     * @throws IllegalArgumentException if the time is zero, negative, or above 146 million years
     */
    public static Expiry later(Duration more) {
        Objects.requireNonNull(more, "'more' must not be null");
        return new Expiry(Start.CURRENT, Millis.ofTtl(more, "more"));
    }

    /**
     * Returns an expiry at a time.
     *
     * @param expiresAt the first instant at which the entry is gone; a past one counts as now
     * @return the expiry
     * @throws IllegalArgumentException if the time is more than 146 million years after 1970
     */
    public static Expiry at(Instant expiresAt) {
        Objects.requireNonNull(expiresAt, "'expiresAt' must not be null");
        return new Expiry(Start.EPOCH, Millis.ofExpiry(expiresAt, "expiresAt"));
    }

    /** {@return an expiry at the time of the write: the entry is gone at once} */
    public static Expiry now() {
        return NOW;
    }

    /** {@return no expiry, even if the group has a default ttl} */
    public static Expiry never() {
        return NEVER;
    }

    /** {@return the expiry that the live entry already has; for a new entry, the group's default} */
    public static Expiry keep() {
        return KEEP;
    }

    /** {@return the expiry of a put without a ttl: after the group's default ttl, or never if it has none} */
    public static Expiry groupDefault() {
        return GROUP_DEFAULT;
    }

    /** {@return the same expiry, unless a live entry already has a later one or does not expire: it only extends} */
    public Expiry ifLater() {
        return new Expiry(start, millis, Condition.IF_LATER);
    }

    /** {@return the same expiry, unless a live entry already has an earlier one: it only shortens} */
    public Expiry ifEarlier() {
        return new Expiry(start, millis, Condition.IF_EARLIER);
    }

    /** Does what {@link #after} does, and names the parameter of {@link Counters}. */
    static Expiry onCreate(Duration ttl) {
        Objects.requireNonNull(ttl, "'ttlOnCreate' must not be null");
        return new Expiry(Start.NOW, Millis.ofTtl(ttl, "ttlOnCreate"));
    }

    private static long ttl(Duration ttl) {
        return Millis.ofTtl(Objects.requireNonNull(ttl, "'ttl' must not be null"), "ttl");
    }
}
