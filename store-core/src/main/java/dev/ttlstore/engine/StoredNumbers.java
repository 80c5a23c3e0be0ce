package dev.ttlstore.engine;

import dev.ttlstore.exception.CodecException;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Numbers as they are stored: decimal digits, perhaps after a minus sign.
 *
 * @since 0.1
 */
public final class StoredNumbers {

    private StoredNumbers() {}

    /**
     * Encodes a number.
     *
     * @param number the number
     * @return the encoded value
     */
    public static byte[] encode(long number) {
        return Long.toString(number).getBytes(US_ASCII);
    }

    /**
     * Decodes a number.
     *
     * @param value the encoded value
     * @return the number
     * @throws CodecException if the value is no number in the range of {@code long}
     */
    public static long decode(byte[] value) {
        try {
            return Long.parseLong(new String(value, UTF_8));
        } catch (NumberFormatException e) {
            Utf8.requireText(value); // says more, if that is the reason
            // Without the cause, because its message quotes the value.
            throw new CodecException(
                    "A value is not a whole number; read its group with the codec it was written with");
        }
    }

    /**
     * Adds numbers.
     *
     * @param number a stored number
     * @param delta what is added
     * @return the sum
     * @throws ArithmeticException if it is out of the range of {@code long}
     */
    public static long sum(long number, long delta) {
        try {
            return Math.addExact(number, delta);
        } catch (ArithmeticException e) {
            // With the API's parameter name, and without the number.
            throw (ArithmeticException) new ArithmeticException(
                            "Adding 'delta' would take the counter beyond the range of long; it is unchanged")
                    .initCause(e);
        }
    }
}
