package dev.ttlstore.spring.security;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * SHA-256 hashes of texts. Keys in the store are hashes, so that no key is a secret or a name, and names of any length fit.
 */
final class Hash {

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private Hash() {}

    /** Returns the hash of texts as 43 characters of an URL. */
    static String of(String... texts) {
        return TEXT.encodeToString(bytesOf(texts));
    }

    /** Returns the hash of texts. It covers their lengths, so that no other texts have the same. */
    static byte[] bytesOf(String... texts) {
        MessageDigest digest = sha256();
        for (String text : texts) {
            // Two bytes for each char, because UTF-8 has none for half of a surrogate pair.
            ByteBuffer chars = ByteBuffer.allocate(Integer.BYTES + 2 * text.length());
            chars.putInt(text.length()).asCharBuffer().put(text);
            digest.update(chars.array());
        }
        return digest.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
