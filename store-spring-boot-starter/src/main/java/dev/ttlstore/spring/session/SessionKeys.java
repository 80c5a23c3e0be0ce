package dev.ttlstore.spring.session;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

import dev.ttlstore.KeyRange;
import dev.ttlstore.spring.keys.AnyText;

/**
 * The keys of sessions and of their indexes, which are hashes. So nobody can use a session who only reads the keys, whatever text a
 * client sends as an id is a valid key, and the name of a user may have any length.
 */
final class SessionKeys {

    private static final char SEPARATOR = '.';

    /** Begins what is used as the id of a session whose own id cannot be read. No generator of ids makes it. */
    private static final String STAND_IN = "unreadable.";

    private static final AnyText TEXTS = new AnyText();

    private SessionKeys() {}

    /** Returns the key of a session. */
    static String of(String id) {
        return hash(TEXTS.encode(id));
    }

    /**
     * Returns what names a session whose own id cannot be read. It deletes the session, and is no id: nobody who has only read the key
     * finds anything by it.
     */
    static String standInForId(String sessionKey) {
        return STAND_IN + sessionKey;
    }

    /** Returns the key of the session that a text names in place of an id; empty if it may only be an id. */
    static Optional<String> ofStandIn(String text) {
        return text.startsWith(STAND_IN) ? Optional.of(text.substring(STAND_IN.length())) : Optional.empty();
    }

    /** Returns the key of an index's entry for a session. */
    static String ofIndex(String name, String value, String sessionKey) {
        return ofIndex(name, value) + SEPARATOR + sessionKey;
    }

    /** Returns the keys of an index's entries with a value. */
    static KeyRange rangeOfIndex(String name, String value) {
        return KeyRange.prefix(ofIndex(name, value) + SEPARATOR);
    }

    /** Returns the key of the session that an entry of an index is for. */
    static String sessionKey(String indexKey) {
        return indexKey.substring(indexKey.indexOf(SEPARATOR) + 1);
    }

    /** Hashes the length of the name as well, so that no two pairs have the same text. */
    private static String ofIndex(String name, String value) {
        byte[] first = TEXTS.encode(name);
        byte[] second = TEXTS.encode(value);
        return hash(ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
                .putInt(first.length)
                .put(first)
                .put(second)
                .array());
    }

    private static String hash(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
