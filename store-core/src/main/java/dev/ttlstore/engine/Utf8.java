package dev.ttlstore.engine;

import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/** The UTF-8 that names and texts become, looked at without making it. */
public final class Utf8 {

    /** Told instead of a length when text has half of a surrogate pair. */
    public static final int MALFORMED = -1;

    /** The order of names: that of their UTF-8 bytes, which is the order of their code points. */
    public static final Comparator<String> ORDER = Utf8::compare;

    private Utf8() {}

    /**
     * Tells how many bytes a text takes.
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
     * Finds the name that comes right behind another: names hold no NUL, so there is none between the two.
     *
     * @param name a name, or the empty text
     * @return the next one
     */
    public static String next(String name) {
        return name + '\u0001';
    }

    /**
     * Finds the first text behind all those that begin with a prefix.
     *
     * @param prefix the prefix
     * @return the text that is the exclusive upper bound; null if there is none, as behind the empty prefix
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

    /** Compares by code point: only where a surrogate meets another char does that differ from comparing chars. */
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
