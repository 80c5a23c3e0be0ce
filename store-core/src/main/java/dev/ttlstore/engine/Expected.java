package dev.ttlstore.engine;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a commit expects of the live row that it changes without having loaded it. It changes nothing if there is no live row, or
 * one that is not as expected.
 *
 * @param version the version of the row; null if it does not matter
 * @param value the encoded value of the row; null if it does not matter
 * @param answered the form of the value, if the commit answers with it; null if it does not
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Expected(
        @Nullable Long version,
        byte @Nullable [] value,
        @Nullable Form answered) {

    private static final byte[] NO_BYTES = {};

    /** What an engine can tell of an encoded value, so that it changes only what its caller can read. */
    public enum Form {

        /** Any bytes. */
        BYTES,

        /** UTF-8. An engine may be stricter. */
        TEXT;

        /**
         * Tests whether a value has this form.
         *
         * @param value the encoded value
         * @return whether it has
         */
        public boolean matches(byte[] value) {
            if (this == BYTES) {
                return true;
            }
            try {
                Object unused = UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
                return true;
            } catch (CharacterCodingException e) {
                return false;
            }
        }
    }

    /**
     * Expects a live row, whatever it holds.
     *
     * @return what is expected
     */
    public static Expected anything() {
        return new Expected(null, null, null);
    }

    /**
     * Expects a row of a version.
     *
     * @param version the version
     * @return what is expected
     */
    public static Expected ofVersion(long version) {
        return new Expected(version, null, null);
    }

    /**
     * Expects a row with a value.
     *
     * @param value the encoded value
     * @return what is expected
     */
    public static Expected holding(byte[] value) {
        return new Expected(null, value, null);
    }

    /**
     * Expects a row with a value that the caller can read, for an answer with that value.
     *
     * @param form the form of the values that the caller can read
     * @return what is expected
     */
    public static Expected answering(Form form) {
        return new Expected(null, null, form);
    }

    /**
     * Returns a row that is as expected, by which a commit is decided before the true row is known.
     *
     * @param key the name of the row
     * @return the row, which does not expire
     */
    public Row standIn(RowKey key) {
        return new Row(key, value == null ? NO_BYTES : value, version == null ? 0 : version, 0, 0, Row.NEVER);
    }
}
