package dev.ttlstore.engine;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Computes the expiry of an entry from the time of the write. Immutable.
 *
 * <p>An expiry is the latest of some terms, and each term is the earlier one of two times: a while after the write, and a fixed
 * time. The later and the earlier one of two expiries, and an expiry moved by a duration, have this form again. So an entry
 * whose expiry changes many times in one commit does not build up a chain of decisions. Terms that can never be the latest are
 * left out.
 *
 * @since 0.1
 */
public final class ExpiryTime {

    /** The offset of a term that is a fixed time. */
    private static final long FIXED = Long.MAX_VALUE;

    /** The largest offset. Whatever the time of the write is, it leads beyond the latest possible expiry. */
    private static final long MAX_OFFSET = Millis.MAX + Millis.MAX / 2;

    /** The entry does not expire. */
    public static final ExpiryTime NEVER = new ExpiryTime(FIXED, Row.NEVER, null);

    /** The entry expires with the write. */
    public static final ExpiryTime NOW = new ExpiryTime(0, Row.NEVER, null);

    private final long offset;
    private final long fixed;

    /** The other terms. */
    private final @Nullable ExpiryTime next;

    private ExpiryTime(long offset, long fixed, @Nullable ExpiryTime next) {
        this.offset = offset;
        this.fixed = fixed;
        this.next = next;
    }

    /**
     * Expires an entry some time after the write.
     *
     * @param millis the time in milliseconds, at most {@link Millis#MAX}
     * @return the expiry
     */
    public static ExpiryTime afterMillis(long millis) {
        return new ExpiryTime(millis, Row.NEVER, null);
    }

    /**
     * Expires an entry at a time.
     *
     * @param time the first time at which the entry is gone, in milliseconds since the epoch; a past one counts as the
     *     time of the write, because the entry has been visible until then
     * @return the expiry
     */
    public static ExpiryTime at(long time) {
        return new ExpiryTime(FIXED, time, NOW);
    }

    /**
     * Expires an entry at a time, even if that is before the write.
     *
     * @param time the first time at which the entry is gone, in milliseconds since the epoch, or {@link Row#NEVER}
     * @return the expiry
     */
    public static ExpiryTime exactly(long time) {
        return new ExpiryTime(FIXED, time, null);
    }

    /**
     * Computes the expiry.
     *
     * @param now the time of the write, in milliseconds since the epoch
     * @return the expiry, in milliseconds since the epoch, or {@link Row#NEVER}
     */
    public long from(long now) {
        long latest = Long.MIN_VALUE;
        for (ExpiryTime term = this; term != null; term = term.next) {
            latest = Math.max(latest, term.offset == FIXED ? term.fixed : Math.min(now + term.offset, term.fixed));
        }
        return latest;
    }

    /**
     * Tests whether the expiry counts from the write.
     *
     * @param now the time of the write, in milliseconds since the epoch
     * @return whether it would be earlier if the write came a little earlier
     */
    public boolean isMovedBy(long now) {
        return from(now - 1) != from(now);
    }

    /**
     * Returns the later one of this and another expiry.
     *
     * @param other the other expiry
     * @return the expiry
     */
    public ExpiryTime orLater(ExpiryTime other) {
        ExpiryTime latest = this;
        for (ExpiryTime term = other; term != null; term = term.next) {
            latest = with(latest, term.offset, term.fixed);
        }
        return latest;
    }

    /**
     * Returns the earlier one of this and another expiry.
     *
     * @param other the other expiry
     * @return the expiry
     */
    public ExpiryTime orEarlier(ExpiryTime other) {
        ExpiryTime latest = null;
        for (ExpiryTime a = this; a != null; a = a.next) {
            for (ExpiryTime b = other; b != null; b = b.next) {
                latest = with(latest, Math.min(a.offset, b.offset), Math.min(a.fixed, b.fixed));
            }
        }
        return latest == null ? NEVER : latest;
    }

    /**
     * Moves this expiry, but not beyond the latest possible one. One that is later already stays, whatever it counts from, so it is the
     * same whether the commit or an earlier one has made it.
     *
     * @param millis how far, zero or more
     * @return the expiry
     */
    public ExpiryTime plus(long millis) {
        if (millis == 0) {
            return this;
        }
        ExpiryTime moved = this;
        for (ExpiryTime term = this; term != null; term = term.next) {
            long later = term.offset == FIXED ? FIXED : Math.min(term.offset, MAX_OFFSET - millis) + millis;
            moved = with(moved, later, Math.min(term.fixed, Millis.MAX - millis) + millis);
        }
        return moved;
    }

    /** Adds a term, unless another one is never before it, and removes those that it is never before. */
    private static ExpiryTime with(@Nullable ExpiryTime terms, long offset, long fixed) {
        ExpiryTime kept = null;
        for (ExpiryTime term = terms; term != null; term = term.next) {
            if (term.offset >= offset && term.fixed >= fixed) {
                return Objects.requireNonNull(terms);
            }
            if (term.offset > offset || term.fixed > fixed) {
                kept = new ExpiryTime(term.offset, term.fixed, kept);
            }
        }
        return new ExpiryTime(offset, fixed, kept);
    }
}
