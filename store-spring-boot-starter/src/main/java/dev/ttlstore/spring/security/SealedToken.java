package dev.ttlstore.spring.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import dev.ttlstore.exception.CodecException;

/**
 * Encrypts the token of a remember-me login with its series (AES-256-GCM). Spring Security compares the token that it reads with that
 * of the cookie, so a hash would not do. The store has a hash of the series, from which the key does not follow.
 */
final class SealedToken {

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private static final SecureRandom RANDOM = new SecureRandom();

    private SealedToken() {}

    static String seal(String token, String series) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, series, nonce).doFinal(token.getBytes(StandardCharsets.UTF_8));
            byte[] both = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, both, NONCE_BYTES, sealed.length);
            return Base64.getEncoder().encodeToString(both);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has AES", e);
        }
    }

    static String open(String sealed, String series) {
        try {
            byte[] both = Base64.getDecoder().decode(sealed);
            byte[] nonce = Arrays.copyOf(both, NONCE_BYTES);
            byte[] token =
                    cipher(Cipher.DECRYPT_MODE, series, nonce).doFinal(both, NONCE_BYTES, both.length - NONCE_BYTES);
            return new String(token, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new CodecException("The token was not encrypted with this series: "
                    + e.getClass().getName());
        }
    }

    private static Cipher cipher(int mode, String series, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(
                mode,
                new SecretKeySpec(Hash.bytesOf("remember-me token", series), "AES"),
                new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
