package dev.ttlstore.spring.autoconfigure;

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
import dev.ttlstore.spring.autoconfigure.StoreProperties.Encryption;
import dev.ttlstore.spring.encryption.StoreKeyset;
import dev.ttlstore.spring.encryption.StoreKeysetException;
import dev.ttlstore.spring.encryption.TinkValueCipher;

/** Finds the keyset that the properties name, makes it if it is to be made, and says what a user should know of it. */
final class ConfiguredKeyset {

    private static final Logger log = LoggerFactory.getLogger(ConfiguredKeyset.class);

    private static final String LOCATION = "store.encryption.keyset";
    private static final String CREATE = "store.encryption.create-keyset";
    private static final String READ_PLAIN = "store.encryption.read-plain";

    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    private final Encryption properties;
    private final EncryptedGroups groups;
    private final ConfiguredStore store;
    private final ResourceLoader resources;

    ConfiguredKeyset(Encryption properties, ConfiguredStore store, ResourceLoader resources) {
        this.properties = properties;
        this.groups = EncryptedGroups.of(properties.groups()); // before a keyset is made
        this.store = store;
        this.resources = ApplicationResourceLoader.get(resources, true); // without a prefix it is a file
    }

    /** A store that is lost when the application stops needs no key that is there when it starts again. */
    TinkValueCipher cipher() {
        if (store.file() == null) {
            log.info(
                    "The store is in memory, so its values are encrypted with keys that are lost with it; '{}' is not used",
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
                "'{}' is on: values that are not encrypted are read as they are, whoever has put them into the file."
                        + " Turn it off when all have been written anew",
                READ_PLAIN);
        return cipher.readingPlain();
    }

    private static StoreKeysetException unnamed() {
        return new StoreKeysetException(
                LOCATION,
                "There are groups to be encrypted ('" + EncryptedGroups.PROPERTY + "'), but no keyset to do it with",
                "Set '" + LOCATION + "' to where a Tink keyset is, such as 'file:/etc/app/keyset.json', and '" + CREATE
                        + "=true' to have one made there at the first start; or declare a ValueCipher bean");
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
                            + "'. If values were sealed with the keyset, put it back, for nothing else opens"
                            + " them; if there are none yet, set '" + CREATE + "=true' to have one made");
        }
    }

    /**
     * A new keyset opens nothing that another has sealed. So when there are values to be opened the other one is missing, its
     * folder not mounted perhaps, and to go on without it would hide that until somebody asks for a value.
     */
    private void requireNothingLost(Path keyset) {
        Path file = store.file();
        if (file == null || !Files.exists(file) || properties.readPlain()) {
            return;
        }
        try (Store opened = store.open(builder -> {});
                Stream<String> names = opened.groups()) {
            names.filter(groups).findFirst().ifPresent(group -> {
                throw new StoreKeysetException(
                        keyset.toString(),
                        "The keyset " + keyset
                                + " does not exist, and one made now would open nothing of what the store " + file
                                + " has in groups to be encrypted, such as '" + group + "'",
                        "If the values were sealed with that keyset, put it back, for nothing else opens them. If they"
                                + " never were encrypted, set '" + READ_PLAIN
                                + "=true' until they are. If they may be lost, start once without '"
                                + EncryptedGroups.PROPERTY
                                + "' and delete those groups, or move the store's files away");
            });
        }
    }

    /** Where it is in the file system; null if it is not there, but within an archive or on another machine. */
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
                    "Made the keyset {}. Values that are sealed with it are lost without it: keep a copy, apart from those"
                            + " of the store",
                    file);
        }
        Path stored = store.file();
        if (stored != null && stored.getParent() != null && stored.getParent().equals(file.getParent())) {
            log.warn(
                    "The keyset {} lies beside the store: whoever gets a copy of the folder can read all values. Keep it"
                            + " elsewhere, and tell by '{}' where",
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
                        "The keyset {} is not for its owner alone ({}): take the others' rights away, as by 'chmod 600'",
                        file,
                        PosixFilePermissions.toString(permissions));
            }
        } catch (IOException e) {
            log.debug("The rights of the keyset {} cannot be read", file, e);
        }
    }
}
