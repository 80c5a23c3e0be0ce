package dev.ttlstore.spring.encryption;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Objects;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyStatus;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Manages the keys that encrypt values, in a file of their own: a Tink keyset in JSON. The file itself is not
 * encrypted, and only its owner can access it. Keys are AES-256-GCM. A running application uses the keys that the file
 * had at its start. Two processes must not change a file at the same time.
 *
 * <p>To rotate keys, add a key, restart the application, and encrypt all values of each group again:
 *
 * <pre>{@code
 * StoreKeyset.rotate(Path.of("/etc/app/store-keyset.json"));
 *
 * // after the restart, for each encrypted group, whatever the type of its values
 * Group<byte[]> group = store.group("secrets", byte[].class);
 * group.keys().forEach(key -> group.update(key, value -> value));
 * }</pre>
 *
 * <p>When no value is encrypted with the old keys, call {@link #removeOldKeys} and restart once more. This loop does
 * not reach expired entries that are kept for an audit or wait for their handler. Let their time pass first.
 *
 * @since 0.1
 * @see TinkValueCipher
 * @see StoreEncryptionProperties
 */
public final class StoreKeyset {

    private StoreKeyset() {}

    /**
     * Creates a keyset with one new key, in a file that only its owner can access. Creates missing parent folders.
     * The file is created completely or not at all.
     *
     * @param file the file
     * @return false if the file exists; it is not changed
     * @throws StoreKeysetException if the file cannot be written
     */
    public static boolean create(Path file) {
        Objects.requireNonNull(file, "'file' must not be null");
        try {
            if (Files.exists(file)) {
                return false;
            }
            return KeysetFiles.create(file.toAbsolutePath(), json(generate()));
        } catch (IOException e) {
            throw unwritable(file, e);
        } catch (GeneralSecurityException e) {
            throw unusable(file.toString());
        }
    }

    /**
     * Adds a new key, and makes it the primary one. From its next start the application encrypts with the new key,
     * and still decrypts with the older ones. The file is replaced atomically.
     *
     * <p>An instance that has not restarted cannot read what others encrypt with the new key. If that matters, call
     * {@link #addKey} and {@link #useNewestKey} instead, and restart all instances after each.
     *
     * @param file the file
     * @throws StoreKeysetException if the file is missing, is not a keyset, or cannot be written
     */
    public static void rotate(Path file) {
        change(file, keyset -> withNewestKey(withNewKey(keyset)));
    }

    /**
     * Adds a new key that only decrypts. Once all instances have it, {@link #useNewestKey} lets it encrypt. The file is
     * replaced atomically.
     *
     * @param file the file
     * @throws StoreKeysetException if the file is missing, is not a keyset, or cannot be written
     */
    public static void addKey(Path file) {
        change(file, StoreKeyset::withNewKey);
    }

    /**
     * Makes the key that was added last the primary one. From its next start the application encrypts with it. The file
     * is replaced atomically.
     *
     * @param file the file
     * @throws StoreKeysetException if the file is missing, is not a keyset, or cannot be written
     */
    public static void useNewestKey(Path file) {
        change(file, StoreKeyset::withNewestKey);
    }

    private static KeysetHandle withNewKey(KeysetHandle keyset) throws GeneralSecurityException {
        return KeysetHandle.newBuilder(keyset)
                .addEntry(KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
                        .withRandomId())
                .build();
    }

    private static KeysetHandle withNewestKey(KeysetHandle keyset) throws GeneralSecurityException {
        KeysetHandle.Builder keys = KeysetHandle.newBuilder(keyset);
        KeysetHandle.Builder.Entry unused = keys.getAt(keys.size() - 1).makePrimary();
        return keys.build();
    }

    /**
     * Removes all keys except the primary one, which encrypts. Values that are still encrypted with another key are lost. So
     * encrypt all values again first, and keep a copy of the file for as long as you keep backups of the store.
     *
     * @param file the file
     * @throws StoreKeysetException if the file is missing, is not a keyset, or cannot be written
     */
    public static void removeOldKeys(Path file) {
        change(file, keyset -> KeysetHandle.newBuilder()
                .addEntry(KeysetHandle.importKey(keyset.getPrimary().getKey())
                        .withFixedId(keyset.getPrimary().getId())
                        .setStatus(KeyStatus.ENABLED)
                        .makePrimary())
                .build());
    }

    /** Changes a keyset. */
    private interface Change {
        KeysetHandle apply(KeysetHandle keyset) throws GeneralSecurityException;
    }

    private static void change(Path file, Change change) {
        Objects.requireNonNull(file, "'file' must not be null");
        KeysetHandle keyset = read(file.toString(), new FileSystemResource(file));
        try {
            TinkValueCipher unused = TinkValueCipher.of(keyset); // leaves a file with unusable keys unchanged
            KeysetFiles.replace(file.toRealPath(), json(change.apply(keyset)));
        } catch (IOException e) {
            throw unwritable(file, e);
        } catch (GeneralSecurityException e) {
            throw unusable(file.toString());
        }
    }

    /**
     * Returns a cipher with the keys of a keyset.
     *
     * @param resource the location of the keyset
     * @return the cipher
     * @throws StoreKeysetException if the keyset is missing, is not a keyset, or has keys that are not for Tink's
     *     {@code Aead}
     */
    public static TinkValueCipher cipher(Resource resource) {
        String location = resource instanceof FileSystemResource file ? file.getPath() : resource.getDescription();
        KeysetHandle keyset = read(location, resource);
        try {
            return TinkValueCipher.of(keyset);
        } catch (GeneralSecurityException e) {
            throw unusable(location);
        }
    }

    private static KeysetHandle read(String location, Resource resource) {
        String json;
        try {
            json = resource.getContentAsString(UTF_8);
        } catch (IOException e) {
            throw unreadable(location, e);
        }
        try {
            AeadConfig.register();
            return TinkJsonProtoKeysetFormat.parseKeyset(
                    json, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
        } catch (GeneralSecurityException | RuntimeException e) {
            throw unusable(location);
        }
    }

    static KeysetHandle generate() throws GeneralSecurityException {
        AeadConfig.register();
        return KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, RegistryConfiguration.get());
    }

    private static String json(KeysetHandle keyset) throws GeneralSecurityException {
        return TinkJsonProtoKeysetFormat.serializeKeyset(
                keyset, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
    }

    private static StoreKeysetException unreadable(String location, IOException cause) {
        if (cause instanceof NoSuchFileException || cause instanceof FileNotFoundException) {
            return new StoreKeysetException(
                    location,
                    "The keyset " + location + " does not exist",
                    "If values were encrypted with it, restore it: nothing else decrypts them");
        }
        return new StoreKeysetException(
                location,
                "The keyset " + location + " cannot be read: "
                        + cause.getClass().getSimpleName(),
                "Check that it is a file of UTF-8 text, and that this user may read it");
    }

    /** Omits the cause and its message, which may quote keys. */
    private static StoreKeysetException unusable(String location) {
        return new StoreKeysetException(
                location,
                "The keyset " + location + " is not an unencrypted Tink keyset in JSON with AEAD keys only",
                "Restore a copy of the keyset that the values were encrypted with");
    }

    private static StoreKeysetException unwritable(Path file, IOException cause) {
        return new StoreKeysetException(
                file.toString(),
                "The keyset " + file + " cannot be written: " + cause.getClass().getSimpleName(),
                "Check that its folder exists or can be created, that this user may write to it, and that the disk has"
                        + " room");
    }
}
