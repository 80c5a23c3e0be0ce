package dev.ttlstore.engine;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.CodecException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Properties of the UTF-8 form of names and texts, computed without encoding them.
 *
 * @since 0.1
 */
public final class Utf8 {

    /** The result in place of a length if text has half of a surrogate pair. */
    public static final int MALFORMED = -1;

    /** The order of names: the order of their UTF-8 bytes, which is the order of their code points. */
    public static final Comparator<String> ORDER = Utf8::compare;

    private Utf8() {}

    /**
     * Returns how many bytes a text has.
     *
     * @param text the text
     * @return the number of bytes, or {@link #MALFORMED}
     */
    public static long lengthOf(String text) {
        long length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                continue;
            }
            if (c < 0x800) {
                length++;
            } else if (!Character.isSurrogate(c)) {
                length += 2;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                length += 2; // two chars, four bytes
                i++;
            } else {
                return MALFORMED;
            }
        }
        return length;
    }

    /**
     * Tests whether bytes are UTF-8.
     *
     * @param bytes the bytes
     * @return whether they can be decoded without loss
     */
    public static boolean isText(byte[] bytes) {
        try {
            Object unused = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /**
     * Requires that bytes are UTF-8.
     *
     * @param bytes the bytes of a value
     * @throws CodecException if they are not
     */
    public static void requireText(byte[] bytes) {
        if (!isText(bytes)) {
            throw new CodecException("A value is not UTF-8 text; read its group with the codec it was written with");
        }
    }

    /**
     * Returns the name that directly follows another. There is none between the two, because names contain no NUL.
     *
     * @param name a name, or the empty text
     * @return the next one
     */
    public static String next(String name) {
        return name + '\u0001';
    }

    /**
     * Returns the first text after all those that start with a prefix.
     *
     * @param prefix the prefix
     * @return the text, an exclusive upper bound; null if there is none, as for the empty prefix
     */
    public static @Nullable String afterPrefix(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
                return prefix.substring(0, end) + Character.toString(next);
            }
        }
        return null;
    }

    /** Compares by code point. This differs from comparing chars only where a surrogate meets another char. */
    private static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean xSurrogate = Character.isSurrogate(x);
                return xSurrogate == Character.isSurrogate(y) ? Character.compare(x, y) : xSurrogate ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
