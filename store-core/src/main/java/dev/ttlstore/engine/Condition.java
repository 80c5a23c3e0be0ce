package dev.ttlstore.engine;

import java.util.Arrays;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * What must hold of the live row that an operation finds.
 *
 * @param kind what kind of condition it is
 * @param number the version or the time of the condition; 0 if it has none
 * @param value the encoded value of the condition; null if it has none
 * @param test the code of {@link Kind#TEST}; null otherwise
 * @since 0.1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Condition(
        Kind kind,
        long number,
        byte @Nullable [] value,
        @Nullable Predicate<@Nullable Row> test) {

    /** Holds of any row, and where there is none. */
    public static final Condition ALWAYS = new Condition(Kind.ALWAYS, 0, null, null);

    /** Holds where there is no live row. */
    public static final Condition ABSENT = new Condition(Kind.ABSENT, 0, null, null);

    /** Holds of any live row. */
    public static final Condition LIVE = new Condition(Kind.LIVE, 0, null, null);

    /** Holds of a live row whose value is UTF-8. */
    public static final Condition TEXT = new Condition(Kind.TEXT, 0, null, null);

    /** The kinds of conditions. */
    public enum Kind {
        /** It does not matter how the row is, or whether there is one. */
        ALWAYS,
        /** There is no live row. */
        ABSENT,
        /** There is a live row. */
        LIVE,
        /** There is a live row of a version. */
        VERSION,
        /** There is a live row with a value. */
        VALUE,
        /** There is a live row whose value is UTF-8. */
        TEXT,
        /** There is a live row that was created at a time, or before. */
        CREATED_BY,
        /** Code says so, which runs within the commit and may run again. It is a pure function, and may throw. */
        TEST
    }

    /**
     * Expects a live row of a version.
     *
     * @param version the version
     * @return the condition
     */
    public static Condition version(long version) {
        return new Condition(Kind.VERSION, version, null, null);
    }

    /**
     * Expects a live row with a value.
     *
     * @param value the encoded value
     * @return the condition
     */
    public static Condition value(byte[] value) {
        return new Condition(Kind.VALUE, 0, value, null);
    }

    /**
     * Expects a live row that was created at a time, or before.
     *
     * @param latest the time, in milliseconds since the epoch
     * @return the condition
     */
    public static Condition createdBy(long latest) {
        return new Condition(Kind.CREATED_BY, latest, null, null);
    }

    /**
     * Lets code decide.
     *
     * @param test tests the live row, which is null if there is none
     * @return the condition
     */
    public static Condition test(Predicate<@Nullable Row> test) {
        return new Condition(Kind.TEST, 0, null, test);
    }

    /**
     * Tests the condition.
     *
     * @param live the live row; null if there is none
     * @return whether it holds
     */
    public boolean holds(@Nullable Row live) {
        return switch (kind) {
            case ALWAYS -> true;
            case ABSENT -> live == null;
            case LIVE -> live != null;
            case VERSION -> live != null && live.version() == number;
            case VALUE -> live != null && Arrays.equals(live.value(), value);
            case TEXT -> live != null && Utf8.isText(live.value());
            case CREATED_BY -> live != null && live.createdAt() <= number;
            case TEST -> requireNonNull(test).test(live);
        };
    }
}
