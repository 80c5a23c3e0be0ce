package dev.ttlstore.sample.load;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts as the script of the sender's page does: with AES-GCM and a new key for each secret, into base64url of twelve
 * bytes of nonce and the output. Not thread-safe.
 */
final class Sealing {

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();

    /** A sealed text, and the key that opens it. */
    record Sealed(String value, SecretKey key) {}

    Sealed seal(String text) {
        SecretKey key = new SecretKeySpec(bytes(KEY_BYTES), "AES");
        byte[] nonce = bytes(NONCE_BYTES);
        byte[] output = run(Cipher.ENCRYPT_MODE, key, nonce, text.getBytes(StandardCharsets.UTF_8));
        byte[] value = Arrays.copyOf(nonce, NONCE_BYTES + output.length);
        System.arraycopy(output, 0, value, NONCE_BYTES, output.length);
        return new Sealed(ENCODER.encodeToString(value), key);
    }

    /** Returns the text. Throws if the value or the key was changed. */
    static String open(String value, SecretKey key) {
        byte[] bytes = Base64.getUrlDecoder().decode(value);
        byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
        byte[] output = Arrays.copyOfRange(bytes, NONCE_BYTES, bytes.length);
        return new String(run(Cipher.DECRYPT_MODE, key, nonce, output), StandardCharsets.UTF_8);
    }

    private static byte[] run(int mode, SecretKey key, byte[] nonce, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The value was changed, or this is not its key", e);
        }
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
