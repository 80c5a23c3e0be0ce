package dev.ttlstore;

/** The UTF-8 that names and texts become, looked at without making it. */
final class Utf8 {

    /** Told instead of a length when text has half of a surrogate pair. */
    static final int MALFORMED = -1;

    /** The longest a name may be, in bytes. */
    private static final int MAX_NAME_BYTES = 1_024;

    private Utf8() {}

    /** How many bytes a text takes, or {@link #MALFORMED}. */
    static long lengthOf(String text) {
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

    /** Checks the name of a group or a key, and returns it. Names are not quoted: a key may be a secret. */
    static String requireName(String name, String parameter) {
        if (name == null) {
            throw new NullPointerException("'" + parameter + "' must not be null");
        }
        long length = lengthOf(name);
        if (length == MALFORMED) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must be Unicode text, but has half of a surrogate pair");
        }
        if (length == 0 || length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "'" + parameter + "' must be 1 to 1,024 bytes of UTF-8, but is " + length + " bytes");
        }
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("'" + parameter + "' must not contain the NUL character");
        }
        return name;
    }
}
