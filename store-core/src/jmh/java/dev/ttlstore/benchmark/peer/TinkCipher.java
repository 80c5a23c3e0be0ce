package dev.ttlstore.benchmark.peer;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;

import dev.ttlstore.ValueCipher;

import static java.nio.charset.StandardCharsets.UTF_8;

/** AES-256-GCM by Tink, as the starter has it, whose own cipher is out of reach here. */
public final class TinkCipher implements ValueCipher {

    private final Aead aead;

    /** With a new key. */
    public TinkCipher() {
        try {
            AeadConfig.register();
            this.aead = KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, RegistryConfiguration.get())
                    .getPrimitive(RegistryConfiguration.get(), Aead.class);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public byte[] seal(String group, String key, byte[] value) throws GeneralSecurityException {
        return aead.encrypt(value, place(group, key));
    }

    @Override
    public byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException {
        return aead.decrypt(sealed, place(group, key));
    }

    private static byte[] place(String group, String key) {
        byte[] first = group.getBytes(UTF_8);
        byte[] second = key.getBytes(UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
                .putInt(first.length)
                .put(first)
                .put(second)
                .array();
    }
}
