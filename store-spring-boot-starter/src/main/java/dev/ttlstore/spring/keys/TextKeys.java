package dev.ttlstore.spring.keys;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Turns any text into the key of an entry. A text that the store accepts is its own key. A text that is empty, too
 * long or has invalid characters is replaced by its hash, so different texts always have different keys.
 *
 * @since 0.1
 * @see AnyText
 */
public final class TextKeys {

    private static final String HASH = "#sha256:";

    /** The longest key of a store, in bytes. */
    private static final int MAX_BYTES = 1_024;

    private TextKeys() {}

    /**
     * Returns the key for a text.
     *
     * @param text the text
     * @return the text itself, or its hash
     */
    public static String of(String text) {
        Objects.requireNonNull(text, "'text' must not be null");
        return isUsable(text) ? text : HASH + sha256(text);
    }

    /**
     * Tests whether a key is the hash of a text.
     *
     * @param key what {@link #of} has returned
     * @return false if the key is the text itself
     */
    public static boolean isHash(String key) {
        return key.startsWith(HASH);
    }

    private static boolean isUsable(String text) {
        if (text.isEmpty() || text.length() > MAX_BYTES || text.indexOf('\0') >= 0 || isHash(text)) {
            return false;
        }
        try {
            return StandardCharsets.UTF_8
                            .newEncoder()
                            .encode(CharBuffer.wrap(text))
                            .remaining()
                    <= MAX_BYTES;
        } catch (CharacterCodingException e) { // half of a surrogate pair
            return false;
        }
    }

    private static String sha256(String text) {
        try {
            ByteBuffer chars = ByteBuffer.allocate(2 * text.length()); // no charset encodes half of a surrogate pair
            chars.asCharBuffer().put(text);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(chars.array()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
