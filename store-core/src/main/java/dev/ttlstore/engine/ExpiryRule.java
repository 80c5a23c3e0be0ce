package dev.ttlstore.engine;

/**
 * How the expiry of an entry follows from the time of the write, and from the entry that the write finds.
 *
 * @param start from where it counts
 * @param millis how much later it is than the start; for {@link Start#AT}, the time in milliseconds since the epoch; 0 for {@link Start#NEVER}
 * @param otherwise for {@link Start#CURRENT}, how long after the write an entry expires that there was not before; {@link Row#NEVER}
 *     if it does not. It does not count for the others
 * @param bound which expiry of a live entry stays
 * @since 0.1
 */
public record ExpiryRule(Start start, long millis, long otherwise, Bound bound) {

    /** The entry does not expire. */
    public static final ExpiryRule NEVER = new ExpiryRule(Start.NEVER, 0, Row.NEVER, Bound.NONE);

    /** The entry expires with the write. */
    public static final ExpiryRule NOW = afterMillis(0);

    /** The live entry keeps its expiry; a new one does not expire. */
    public static final ExpiryRule KEEP = new ExpiryRule(Start.CURRENT, 0, Row.NEVER, Bound.NONE);

    /** From where an expiry counts. A time that is past counts as the time of the write, because the entry has been visible until then. */
    public enum Start {
        /** The write. */
        NOW,
        /** The creation of the live entry; the write if there is none. */
        CREATION,
        /** The last update of the live entry; the write if there is none. */
        UPDATE,
        /** The expiry of the live entry. */
        CURRENT,
        /** The epoch. */
        AT,
        /** Nothing: the entry does not expire. */
        NEVER
    }

    /** Whether the expiry of a live entry stays. */
    public enum Bound {
        /** It never does. */
        NONE,
        /** It does if it is later. */
        LATER,
        /** It does if it is earlier. */
        EARLIER
    }

    /**
     * Expires an entry some time after the write.
     *
     * @param millis the time in milliseconds, at most {@link Millis#MAX}
     * @return the rule
     */
    public static ExpiryRule afterMillis(long millis) {
        return new ExpiryRule(Start.NOW, millis, Row.NEVER, Bound.NONE);
    }

    /**
     * Tests whether the expiry depends on the live entry.
     *
     * @return whether it does
     */
    public boolean looksAtEntry() {
        return bound != Bound.NONE || start == Start.CREATION || start == Start.UPDATE || start == Start.CURRENT;
    }
}
