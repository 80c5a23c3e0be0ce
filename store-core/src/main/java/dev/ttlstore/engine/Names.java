package dev.ttlstore.engine;

/**
 * Checks the names of groups and the keys of entries, which follow the same rules on every engine.
 *
 * @since 0.1
 */
public final class Names {

    /** The longest a name may be, in bytes. */
    private static final int MAX_BYTES = 1_024;

    private Names() {}

    /**
     * Checks the name of a group or a key. Messages do not quote it, because a key may be a secret.
     *
     * @param name the name
     * @param parameter the name of the caller's parameter
     * @return the name
     * @throws IllegalArgumentException if it is not 1 to 1,024 bytes of UTF-8, contains NUL, or has half of a surrogate pair
     */
    public static String require(String name, String parameter) {
        long length = requireText(name, parameter);
        if (length == 0 || length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must be 1 to 1,024 bytes of UTF-8, but is " + length + " bytes");
        }
        return name;
    }

    /**
     * Checks the beginning of a name.
     *
     * @param prefix the beginning, which may be empty
     * @param parameter the name of the caller's parameter
     * @return the beginning
     * @throws IllegalArgumentException if it contains NUL, or has half of a surrogate pair
     */
    public static String requirePrefix(String prefix, String parameter) {
        requireText(prefix, parameter);
        return prefix;
    }

    private static long requireText(String text, String parameter) {
        if (text == null) {
            throw new NullPointerException("'" + parameter + "' must not be null");
        }
        int plain = 0;
        while (plain < text.length() && isPlain(text.charAt(plain))) {
            plain++;
        }
        return plain == text.length() ? plain : requireUnicode(text, parameter);
    }

    /**
     * Returns whether a char is one byte of UTF-8 and not NUL. Nearly all names consist of such chars and need only
     * one pass.
     */
    private static boolean isPlain(char c) {
        return c > 0 && c < 0x80;
    }

    private static long requireUnicode(String text, String parameter) {
        long length = Utf8.lengthOf(text);
        if (length == Utf8.MALFORMED) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must be Unicode text, but has half of a surrogate pair");
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("'" + parameter + "' must not contain the NUL character");
        }
        return length;
    }
}
