package dev.ttlstore.spring.autoconfigure;

import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;

import dev.ttlstore.Entry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.exception.StoreException;

/** Has the store encrypt the groups of the properties, before other customizers, which may know better. */
final class EncryptionCustomizer implements StoreBuilderCustomizer, Ordered, SmartInitializingSingleton {

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

    /** Who believes that values are encrypted, and can be read, must not find out later that they are not. */
    @Override
    public void afterSingletonsInstantiated() {
        if (used) {
            stores.ifUnique(this::tryToRead);
        } else {
            log.warn(
                    "'{}' has no effect on a Store bean of the application's own: hand the ValueCipher bean to its builder,"
                            + " encrypt(…), or apply the StoreBuilderCustomizer beans to it",
                    EncryptedGroups.PROPERTY);
        }
    }

    /** Some values of some groups tell whether the keys are of another store; that none is lost they do not. */
    private void tryToRead(Store store) {
        try (Stream<String> names = store.groups()) {
            names.filter(groups).limit(GROUPS_TRIED).forEach(group -> {
                try (Stream<Entry<byte[]>> entries =
                        store.group(group, byte[].class).entries(KeyRange.all().limit(VALUES_TRIED))) {
                    entries.forEach(entry -> log.trace("A value of group '{}' was tried, and opens", group));
                }
            });
        } catch (StoreException e) {
            log.error("What was stored before may not open with the keys that there are now. {}", e.getMessage());
        }
    }
}
