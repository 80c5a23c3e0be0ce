package dev.ttlstore.spring.encryption;

import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.PriorityOrdered;

import dev.ttlstore.Entry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.autoconfigure.StoreBuilderCustomizer;

/** Encrypts the groups that the properties name. Runs before other customizers, so that they can override it. */
final class EncryptionCustomizer implements StoreBuilderCustomizer, PriorityOrdered, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(EncryptionCustomizer.class);

    private static final int GROUPS_TRIED = 20;
    private static final int VALUES_TRIED = 20;

    private final EncryptedGroups groups;
    private final ValueCipher cipher;
    private final ObjectProvider<Store> stores;
    private volatile boolean used;

    EncryptionCustomizer(EncryptedGroups groups, ValueCipher cipher, ObjectProvider<Store> stores) {
        this.groups = groups;
        this.cipher = cipher;
        this.stores = stores;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void customize(StoreBuilder builder) {
        used = true;
        builder.encrypt(groups, cipher);
    }

    /** Warns if nothing is encrypted, or if values do not decrypt, so that users do not find out later. */
    @Override
    public void afterSingletonsInstantiated() {
        if (used) {
            stores.ifUnique(this::tryToRead);
        } else {
            log.warn(
                    "The application opens its own Store, so '{}' has no effect: pass the ValueCipher bean to its"
                            + " builder by encrypt(…), or apply the StoreBuilderCustomizer beans to the builder",
                    EncryptedGroups.PROPERTY);
        }
    }

    /**
     * Reads some values of some groups. That detects the keys of another store, but does not prove that every value
     * decrypts.
     */
    private void tryToRead(Store store) {
        try (Stream<String> names = store.groups()) {
            names.filter(groups).limit(GROUPS_TRIED).forEach(group -> {
                try (Stream<Entry<byte[]>> entries =
                        store.group(group, byte[].class).entries(KeyRange.all().limit(VALUES_TRIED))) {
                    entries.forEach(entry -> log.trace("Decrypted a value of group '{}' as a check", group));
                }
            });
        } catch (StoreException e) {
            log.error("The current keys may not decrypt the values that are stored. {}", e.getMessage());
        }
    }
}
