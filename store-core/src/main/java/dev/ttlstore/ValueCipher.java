package dev.ttlstore;

import java.security.GeneralSecurityException;

/**
 * Encrypts values before the store writes them, and decrypts them when it reads them; see {@link StoreBuilder#encrypt}.
 * Without the cipher's key, nobody can read the values in the file. A cipher runs after the {@link Codec}. Unlike the
 * codec, it gets the names of group and key. A cipher that authenticates these names with the value, as AEAD does with
 * its associated data, cannot open a value that somebody has moved to another place.
 *
 * <pre>{@code
 * record AesGcm(SecretKey secret) implements ValueCipher {
 *
 *     private static final int NONCE = 12;
 *
 *     @Override
 *     public byte[] seal(String group, String key, byte[] value) throws GeneralSecurityException {
 *         byte[] nonce = new byte[NONCE];
 *         new SecureRandom().nextBytes(nonce);
 *         byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, group, key).doFinal(value);
 *         return ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
 *     }
 *
 *     @Override
 *     public byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException {
 *         return cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE), group, key)
 *                 .doFinal(sealed, NONCE, sealed.length - NONCE);
 *     }
 *
 *     private Cipher cipher(int mode, byte[] nonce, String group, String key) throws GeneralSecurityException {
 *         Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
 *         cipher.init(mode, secret, new GCMParameterSpec(128, nonce));
 *         cipher.updateAAD((group.length() + ":" + group + key).getBytes(StandardCharsets.UTF_8));
 *         return cipher;
 *     }
 * }
 * }</pre>
 *
 * <p>A cipher may seal the same value differently each time, for example with a random nonce, because the store opens
 * the values that it compares.
 *
 * <p>Many threads use a cipher at once. It runs in the caller's thread. In {@link Group#replace(String, Object,
 * Object)}, {@link Group#delete(String, Object)} and {@link Counters#increment(String)} it runs within the commit, and
 * other writers wait. So it should not call another machine each time, and it must not use the store. In these methods,
 * any writer's thread may run the cipher, so it must not depend on the thread's context, such as the user.
 *
 * @since 0.1
 * @see StoreBuilder#encrypt
 * @see Codec
 * @see GroupPattern
 */
public interface ValueCipher {

    /**
     * Seals a value.
     *
     * @param group the group's full name; in a scope {@code namespace:name}
     * @param key the entry's key
     * @param value the encoded value, possibly empty; the cipher must not change it
     * @return the sealed value, in an array that the cipher does not keep
     * @throws GeneralSecurityException if the value cannot be sealed; the message must not contain a value
     */
    byte[] seal(String group, String key, byte[] value) throws GeneralSecurityException;

    /**
     * Opens a value.
     *
     * @param group the group's full name
     * @param key the entry's key
     * @param sealed the sealed value, in an array that the cipher may change
     * @return the encoded value, in an array that the cipher does not keep
     * @throws GeneralSecurityException if these bytes do not open here: they were sealed with another key or for
     *     another place, were changed, or were never sealed. If the cipher itself fails, it throws another exception,
     *     and the store does not treat the value as unreadable
     */
    byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException;
}
