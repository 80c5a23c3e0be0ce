package dev.ttlstore.spring.encryption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.ConfiguredStore;

/**
 * The keyset that the properties name. Finds it, creates it if configured, and warns about its location and
 * permissions.
 */
final class ConfiguredKeyset {

    private static final Logger log = LoggerFactory.getLogger(ConfiguredKeyset.class);

    private static final String LOCATION = "store.encryption.keyset";
    private static final String CREATE = "store.encryption.create-keyset";
    private static final String READ_PLAIN = "store.encryption.read-plain";

    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    private final StoreEncryptionProperties properties;
    private final EncryptedGroups groups;
    private final ConfiguredStore store;
    private final ResourceLoader resources;

    ConfiguredKeyset(StoreEncryptionProperties properties, ConfiguredStore store, ResourceLoader resources) {
        this.properties = properties;
        this.groups = EncryptedGroups.of(properties.groups()); // before a keyset is made
        this.store = store;
        this.resources = ApplicationResourceLoader.get(resources, true); // without a prefix it is a file
    }

    /** Returns the cipher. A store in memory gets a new key, because it needs no key after a restart. */
    TinkValueCipher cipher() {
        if (store.isInMemory()) {
            log.info(
                    "The store is in memory, so it uses encryption keys that are lost with it and ignores '{}'",
                    LOCATION);
            return TinkValueCipher.ofNewKey();
        }
        String location = properties.keyset();
        if (location == null || location.isBlank()) {
            throw unnamed();
        }
        TinkValueCipher cipher = named(location.strip());
        return properties.readPlain() ? readingPlain(cipher) : cipher;
    }

    private static TinkValueCipher readingPlain(TinkValueCipher cipher) {
        log.warn(
                "Values that are not encrypted are accepted as they are, even if an attacker wrote them. When the"
                        + " migration is complete, turn off '{}'",
                READ_PLAIN);
        return cipher.readingPlain();
    }

    private static StoreKeysetException unnamed() {
        return new StoreKeysetException(
                LOCATION,
                "'" + EncryptedGroups.PROPERTY + "' names groups to encrypt, but no keyset is configured",
                "Set '" + LOCATION + "' to the location of a Tink keyset, such as 'file:/etc/app/keyset.json', and '"
                        + CREATE + "=true' to create it at the first start; or declare a ValueCipher bean");
    }

    private TinkValueCipher named(String location) {
        Resource resource = resources.getResource(location);
        Path file = file(resource);
        if (file == null) {
            return StoreKeyset.cipher(resource);
        }
        boolean created = false;
        if (!Files.exists(file)) {
            requireToCreate(file);
            requireNotShared(file);
            requireNothingLost(file);
            created = StoreKeyset.create(file);
        }
        TinkValueCipher cipher = StoreKeyset.cipher(new FileSystemResource(file));
        tell(file, created);
        return cipher;
    }

    private void requireToCreate(Path file) {
        if (!properties.createKeyset()) {
            throw new StoreKeysetException(
                    file.toString(),
                    "The keyset " + file + " does not exist",
                    "Check '" + LOCATION
                            + "'. If values were encrypted with this keyset, restore it: nothing else decrypts them."
                            + " If nothing is encrypted yet, set '" + CREATE + "=true' to create it");
        }
    }

    /** Refuses to create a keyset for one instance of several: each would have its own, and not read what another has written. */
    private void requireNotShared(Path file) {
        if (store.isShared()) {
            throw new StoreKeysetException(
                    file.toString(),
                    "The keyset " + file + " does not exist, and '" + CREATE
                            + "' creates none for a store in PostgreSQL, because all instances need the same one",
                    "Create it once, by StoreKeyset.create(path) or Tink's tinkey, and give each instance a copy. If"
                            + " values were encrypted already, restore that keyset: nothing else decrypts them");
        }
    }

    /**
     * Refuses to create a keyset if the store has values in groups to encrypt. A new keyset does not decrypt what
     * another one has encrypted. The other keyset is missing then, perhaps because its folder is not mounted.
     * Starting without it would hide the problem until somebody reads a value.
     */
    private void requireNothingLost(Path keyset) {
        if (!store.mayHaveEntries() || properties.readPlain()) {
            return;
        }
        try (Store opened = store.open(builder -> {});
                Stream<String> names = opened.groups()) {
            names.filter(groups).findFirst().ifPresent(group -> {
                throw new StoreKeysetException(
                        keyset.toString(),
                        "The keyset " + keyset + " does not exist, and a new one could not decrypt the values that the"
                                + " store " + store.file() + " has in groups to encrypt, such as '" + group + "'",
                        "If the values were encrypted with that keyset, restore it: nothing else decrypts them. If they"
                                + " were never encrypted, set '" + READ_PLAIN
                                + "=true' for the migration. If you can lose them, start once without '"
                                + EncryptedGroups.PROPERTY
                                + "' and delete those groups, or move the store's files away");
            });
        }
    }

    /**
     * Returns the keyset's file, or null if the resource is not in the file system, as within an archive or on
     * another machine.
     */
    private static @Nullable Path file(Resource resource) {
        try {
            return resource.isFile()
                    ? resource.getFile().toPath().toAbsolutePath().normalize()
                    : null;
        } catch (IOException e) {
            return null;
        }
    }

    private void tell(Path file, boolean created) {
        if (created) {
            log.info(
                    "Created the keyset {}. Values that are encrypted with it are lost without it: keep a copy, apart"
                            + " from the store's backups",
                    file);
        }
        Path stored = store.file();
        if (stored != null && stored.getParent() != null && stored.getParent().equals(file.getParent())) {
            log.warn(
                    "The keyset {} is in the same folder as the store: anyone with a copy of the folder can read all"
                            + " values. Move it elsewhere, and set its new location in '{}'",
                    file,
                    LOCATION);
        }
        warnOfOtherReaders(file);
    }

    private static void warnOfOtherReaders(Path file) {
        try {
            PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (view == null) {
                return;
            }
            Set<PosixFilePermission> permissions = view.readAttributes().permissions();
            if (!OWNERS.containsAll(permissions)) {
                log.warn(
                        "Users other than the owner have access to the keyset {} ({}). Restrict the permissions, for"
                                + " example by 'chmod 600'",
                        file,
                        PosixFilePermissions.toString(permissions));
            }
        } catch (IOException e) {
            log.debug("The permissions of the keyset {} cannot be read", file, e);
        }
    }
}
