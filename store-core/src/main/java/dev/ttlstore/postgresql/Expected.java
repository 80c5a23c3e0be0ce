package dev.ttlstore.postgresql;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoredNumbers;

import static java.util.Objects.requireNonNull;

/**
 * What a commit expects of the live row that it changes without having loaded it. It changes nothing if there is no live row, or
 * one that is not as expected.
 *
 * @param version the version of the row; null if it does not matter
 * @param value the encoded value of the row; null if it does not matter
 * @param answered the form of the value, if the commit answers with it; null if it does not
 * @param added what is added to the value, which must be a number of at most {@value #MOST_DIGITS} ASCII characters: digits, perhaps after a
 *     minus sign; null if nothing is added
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Expected(
        @Nullable Long version,
        byte @Nullable [] value,
        @Nullable Form answered,
        @Nullable Long added) {

    /** The most digits of what is added, and of a number to which an engine adds, so that no sum is out of the range of {@code long}. */
    static final int MOST_DIGITS = 18;

    private static final long FIRST_TOO_LONG = 1_000_000_000_000_000_000L;

    private static final byte[] NO_BYTES = {};

    private static final byte[] ZERO = {'0'};

    /** What the server can tell of an encoded value, so that it changes only what its caller can read. */
    enum Form {

        /** Any bytes. */
        BYTES,

        /** UTF-8. A server may be stricter. */
        TEXT
    }

    /**
     * Expects a live row, whatever it holds.
     *
     * @return what is expected
     */
    static Expected anything() {
        return new Expected(null, null, null, null);
    }

    /**
     * Expects a row of a version.
     *
     * @param version the version
     * @return what is expected
     */
    static Expected ofVersion(long version) {
        return new Expected(version, null, null, null);
    }

    /**
     * Expects a row with a value.
     *
     * @param value the encoded value
     * @return what is expected
     */
    static Expected holding(byte[] value) {
        return new Expected(null, value, null, null);
    }

    /**
     * Expects a row with a value that the caller can read, for an answer with that value.
     *
     * @param form the form of the values that the caller can read
     * @return what is expected
     */
    static Expected answering(Form form) {
        return new Expected(null, null, form, null);
    }

    /**
     * Expects a row with a number, to which the commit adds another one, and answers with the sum. The row keeps its expiry.
     *
     * @param number what is added; {@linkplain #canAdd not too long}
     * @return what is expected
     */
    static Expected adding(long number) {
        return new Expected(null, null, null, number);
    }

    /**
     * Tests whether an engine may add a number.
     *
     * @param number the number
     * @return whether it has at most {@value #MOST_DIGITS} digits
     */
    static boolean canAdd(long number) {
        return -FIRST_TOO_LONG < number && number < FIRST_TOO_LONG;
    }

    /**
     * Returns the encoded number to which the expected one was added.
     *
     * @param sum the encoded sum: decimal digits, perhaps after a minus sign
     * @return the number before
     */
    byte[] before(byte[] sum) {
        return StoredNumbers.encode(StoredNumbers.decode(sum) - requireNonNull(added));
    }

    /**
     * Returns a row that is as expected, by which a commit is decided before the true row is known.
     *
     * @param key the name of the row
     * @return the row, which does not expire
     */
    Row standIn(RowKey key) {
        byte[] bytes = added != null ? ZERO : value != null ? value : NO_BYTES;
        return new Row(key, bytes, version == null ? 0 : version, 0, 0, Row.NEVER);
    }
}
