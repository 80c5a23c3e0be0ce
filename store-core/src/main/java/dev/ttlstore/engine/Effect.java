package dev.ttlstore.engine;

import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * What an operation does to a row if its condition holds.
 *
 * @param kind what kind of effect it is
 * @param value the encoded value to put; that of {@link Kind#COMPUTE} is for the case that there is no live row
 * @param delta what {@link Kind#ADD} adds
 * @param expiry the rule for the expiry; null if the expiry stays, or the row says it
 * @param row the row of {@link Kind#RESTORE}
 * @param replaces whether {@link Kind#RESTORE} replaces a live row that differs
 * @param compute the code of {@link Kind#COMPUTE}: from the encoded value of the live row to the new one
 * @since 0.1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Effect(
        Kind kind,
        byte @Nullable [] value,
        long delta,
        @Nullable ExpiryRule expiry,
        @Nullable Row row,
        boolean replaces,
        @Nullable UnaryOperator<byte[]> compute) {

    /** Leaves the row as it is. */
    public static final Effect NOTHING = new Effect(Kind.NOTHING, null, 0, null, null, false, null);

    /** Deletes the live row. */
    public static final Effect DELETE = new Effect(Kind.DELETE, null, 0, null, null, false, null);

    /** Corrects the times of a live row that was written while the clock was ahead. */
    public static final Effect MEND = new Effect(Kind.MEND, null, 0, null, null, false, null);

    /** The kinds of effects. Those but {@code NOTHING}, {@code PUT}, {@code ADD}, {@code COMPUTE} and {@code RESTORE} need a live row. */
    public enum Kind {
        /** The row stays as it is. */
        NOTHING,
        /** A value is put. */
        PUT,
        /** The live row is deleted. */
        DELETE,
        /** The live row gets another expiry, and keeps its value and version. */
        RESCHEDULE,
        /** A number is added to that of the live row, which keeps its expiry; or the number is put. */
        ADD,
        /** Code computes the new value of the live row, which keeps its expiry; or a value is put. The code may run again, and may throw. */
        COMPUTE,
        /** An entry that has existed elsewhere is put with its times, unless it has expired. */
        RESTORE,
        /** The live row gets the times that it should have, if it was written by a clock that was ahead. */
        MEND
    }

    /**
     * Puts a value.
     *
     * @param value the encoded value
     * @param expiry the rule for its expiry
     * @return the effect
     */
    public static Effect put(byte[] value, ExpiryRule expiry) {
        return new Effect(Kind.PUT, value, 0, expiry, null, false, null);
    }

    /**
     * Changes the expiry of a live row.
     *
     * @param expiry the rule for it
     * @return the effect
     */
    public static Effect reschedule(ExpiryRule expiry) {
        return new Effect(Kind.RESCHEDULE, null, 0, expiry, null, false, null);
    }

    /**
     * Adds to the number of a live row, or puts a number.
     *
     * @param delta what is added, or put if there is no live row
     * @param expiry the rule for the expiry of what is put
     * @return the effect
     */
    public static Effect add(long delta, ExpiryRule expiry) {
        return new Effect(Kind.ADD, null, delta, expiry, null, false, null);
    }

    /**
     * Computes the value of a live row, or puts one.
     *
     * @param compute from the encoded value of the live row to the new one; it runs within the commit
     * @param initial the encoded value to put if there is no live row
     * @param expiry the rule for the expiry of that
     * @return the effect
     */
    public static Effect compute(UnaryOperator<byte[]> compute, byte[] initial, ExpiryRule expiry) {
        return new Effect(Kind.COMPUTE, initial, 0, expiry, null, false, compute);
    }

    /**
     * Puts an entry that has existed elsewhere.
     *
     * @param row the entry, whose version does not count
     * @param replaces whether another live row is replaced
     * @return the effect
     */
    public static Effect restore(Row row, boolean replaces) {
        return new Effect(Kind.RESTORE, row.value(), 0, null, row, replaces, null);
    }
}
