package dev.ttlstore.spring.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;

import dev.ttlstore.StoreBuilder;
import dev.ttlstore.ValueCipher;

/** Has the store encrypt the groups of the properties, before other customizers, which may know better. */
final class EncryptionCustomizer implements StoreBuilderCustomizer, Ordered, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(EncryptionCustomizer.class);

    private final EncryptedGroups groups;
    private final ValueCipher cipher;
    private volatile boolean used;

    EncryptionCustomizer(EncryptedGroups groups, ValueCipher cipher) {
        this.groups = groups;
        this.cipher = cipher;
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

    /** Who believes that values are encrypted must not find out from the file that they are not. */
    @Override
    public void afterSingletonsInstantiated() {
        if (!used) {
            log.warn(
                    "'{}' has no effect on a Store bean of the application's own: hand the ValueCipher bean to its builder,"
                            + " encrypt(…), or apply the StoreBuilderCustomizer beans to it",
                    EncryptedGroups.PROPERTY);
        }
    }
}
