package dev.ttlstore.spring.encryption;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.AeadKey;

import dev.ttlstore.ValueCipher;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Encrypts values with the primary key of a Tink keyset, and decrypts them with the key that encrypted them. The names
 * of the group and the key are associated data, so a value does not decrypt in another place. The cipher cannot detect
 * that an older value of the same entry was put back. Thread-safe.
 *
 * <p>The starter creates one from the configured keyset. An application with a keyset from elsewhere, such as a key
 * management service, declares a bean:
 *
 * <pre>{@code
 * @Bean
 * ValueCipher valueCipher(KeysetHandle keyset) throws GeneralSecurityException {
 *     return TinkValueCipher.of(keyset);
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreKeyset
 * @see ValueCipher
 */
public final class TinkValueCipher implements ValueCipher {

    private final Aead aead;
    private final List<byte[]> prefixes;
    private final boolean readsPlain;

    private TinkValueCipher(Aead aead, List<byte[]> prefixes, boolean readsPlain) {
        this.aead = aead;
        this.prefixes = prefixes;
        this.readsPlain = readsPlain;
    }

    /**
     * Creates a cipher with the keys of a keyset.
     *
     * @param keyset the keys, all for Tink's {@code Aead}
     * @return the cipher
     * @throws GeneralSecurityException if a key is not for {@code Aead}
     */
    public static TinkValueCipher of(KeysetHandle keyset) throws GeneralSecurityException {
        Objects.requireNonNull(keyset, "'keyset' must not be null");
        AeadConfig.register();
        Aead aead = keyset.getPrimitive(RegistryConfiguration.get(), Aead.class);
        List<byte[]> prefixes = new ArrayList<>();
        for (int i = 0; i < keyset.size(); i++) {
            if (keyset.getAt(i).getKey() instanceof AeadKey key) {
                prefixes.add(key.getOutputPrefix().toByteArray());
            }
        }
        return new TinkValueCipher(aead, prefixes, false);
    }

    /**
     * Creates a cipher with a new key that is stored nowhere, for a store in memory.
     *
     * @return the cipher
     */
    public static TinkValueCipher ofNewKey() {
        try {
            return of(StoreKeyset.generate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JVM does not support AES-GCM", e);
        }
    }

    /**
     * Returns a cipher that also accepts values that are not encrypted, for a migration. Then a person who can write
     * to the file can add values. A value counts as encrypted if it starts like the values that a key of
     * the keyset encrypts. With a key of Tink's type {@code RAW} every value does.
     *
     * @return a cipher that accepts values that are not encrypted
     */
    public TinkValueCipher readingPlain() {
        return new TinkValueCipher(aead, prefixes, true);
    }

    @Override
    public byte[] seal(String group, String key, byte[] value) throws GeneralSecurityException {
        return aead.encrypt(value, place(group, key));
    }

    @Override
    public byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException {
        try {
            return aead.decrypt(sealed, place(group, key));
        } catch (GeneralSecurityException e) {
            if (readsPlain && !isSealed(sealed)) {
                return sealed;
            }
            throw e;
        }
    }

    /** Returns the associated data. It contains the length of the first name, so it is unique for each place. */
    private static byte[] place(String group, String key) {
        byte[] first = group.getBytes(UTF_8);
        byte[] second = key.getBytes(UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
                .putInt(first.length)
                .put(first)
                .put(second)
                .array();
    }

    private boolean isSealed(byte[] bytes) {
        for (byte[] prefix : prefixes) {
            if (bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length)) {
                return true;
            }
        }
        return false;
    }
}
