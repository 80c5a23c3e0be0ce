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
 * The keys that values are sealed with, in a file of their own: a Tink keyset in JSON, not encrypted itself, for its owner
 * alone. Keys are AES-256-GCM. A running application has the keys that were there at its start.
 *
 * <p>To rotate keys: {@link #rotate} the file, start the application anew, have all values sealed anew by
 * {@code group.keys().forEach(key -> group.update(key, value -> value))} for each group, and, when nothing sealed with the old
 * keys is left, {@link #removeOldKeys} and start anew once more. What has expired and is kept for an audit, or still waits for
 * its handler, is not sealed anew, so let that time pass first. Two processes must not change a file at the same time.
 */
public final class StoreKeyset {

    private StoreKeyset() {}

    /**
     * Makes a keyset of one new key, in a file for its owner alone; missing folders above it are made, too. The file is
     * there with all that belongs in it or not at all.
     *
     * @param file the file
     * @return false if there is a file already, which stays as it is
     * @throws StoreKeysetException if it cannot be written
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
     * Adds a new key, which is the primary one from the next start of the application on: it seals what is written then. What
     * was sealed before is still opened by the keys that were there. The file is replaced in one step.
     *
     * @param file the file
     * @throws StoreKeysetException if it is missing, is no keyset, or cannot be written
     */
    public static void rotate(Path file) {
        change(file, keyset -> KeysetHandle.newBuilder(keyset)
                .addEntry(KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
                        .withRandomId()
                        .makePrimary())
                .build());
    }

    /**
     * Removes all keys but the primary one. What is still sealed with one of them cannot be read any more, ever; so have
     * all values sealed anew before, and keep a copy of the file for as long as you keep backups of the store.
     *
     * @param file the file
     * @throws StoreKeysetException if it is missing, is no keyset, or cannot be written
     */
    public static void removeOldKeys(Path file) {
        change(file, keyset -> KeysetHandle.newBuilder()
                .addEntry(KeysetHandle.importKey(keyset.getPrimary().getKey())
                        .withFixedId(keyset.getPrimary().getId())
                        .setStatus(KeyStatus.ENABLED)
                        .makePrimary())
                .build());
    }

    /** From a keyset to the one in its place. */
    private interface Change {
        KeysetHandle apply(KeysetHandle keyset) throws GeneralSecurityException;
    }

    private static void change(Path file, Change change) {
        Objects.requireNonNull(file, "'file' must not be null");
        KeysetHandle keyset = read(file.toString(), new FileSystemResource(file));
        try {
            TinkValueCipher unused = TinkValueCipher.of(keyset); // one with keys that cannot be used stays as it is
            KeysetFiles.replace(file.toRealPath(), json(change.apply(keyset)));
        } catch (IOException e) {
            throw unwritable(file, e);
        } catch (GeneralSecurityException e) {
            throw unusable(file.toString());
        }
    }

    /**
     * A cipher with the keys of a keyset.
     *
     * @param resource where the keyset is
     * @return the cipher
     * @throws StoreKeysetException if it is missing, is no keyset, or has other keys than such for Tink's {@code Aead}
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
                    "If values were sealed with it, put it back, for nothing else opens them");
        }
        return new StoreKeysetException(
                location,
                "The keyset " + location + " cannot be read: "
                        + cause.getClass().getSimpleName(),
                "Check that it is a file of UTF-8 text and that this user may read it");
    }

    /** Nothing is told of what was thrown, which may quote keys. */
    private static StoreKeysetException unusable(String location) {
        return new StoreKeysetException(
                location,
                "The keyset " + location + " is no Tink keyset in JSON, not encrypted and with AEAD keys alone",
                "Put back the one that the values were sealed with, from a copy of it");
    }

    private static StoreKeysetException unwritable(Path file, IOException cause) {
        return new StoreKeysetException(
                file.toString(),
                "The keyset " + file + " cannot be written: " + cause.getClass().getSimpleName(),
                "Check that its folder exists or can be made, that this user may write in it, and that there is room");
    }
}
