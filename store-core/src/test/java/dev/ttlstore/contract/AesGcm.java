package dev.ttlstore.contract;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import dev.ttlstore.ValueCipher;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A cipher with what the JDK has: a random nonce before each value, and group and key authenticated with it. */
public final class AesGcm implements ValueCipher {

    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec secret;
    private final SecureRandom random = new SecureRandom();

    /** A cipher with a key made of one number. */
    public AesGcm(int seed) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) seed);
        this.secret = new SecretKeySpec(bytes, "AES");
    }

    @Override
    public byte[] seal(String group, String key, byte[] value) throws GeneralSecurityException {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, nonce, group, key, value);
        return ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
    }

    @Override
    public byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException {
        if (sealed.length < NONCE) {
            throw new GeneralSecurityException("too short");
        }
        byte[] nonce = Arrays.copyOf(sealed, NONCE);
        return run(Cipher.DECRYPT_MODE, nonce, group, key, Arrays.copyOfRange(sealed, NONCE, sealed.length));
    }

    private byte[] run(int mode, byte[] nonce, String group, String key, byte[] input) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, secret, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((group.length() + ":" + group + key).getBytes(UTF_8));
        return cipher.doFinal(input);
    }
}
