package dev.ttlstore.spring.encryption;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ResourceLoader;

import com.google.crypto.tink.Aead;

import dev.ttlstore.Store;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.spring.autoconfigure.ConfiguredStore;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreDataSources;
import dev.ttlstore.spring.autoconfigure.StoreProperties;

/**
 * Auto-configuration for encryption at rest of the groups that {@code store.encryption.groups} names. It uses Tink
 * with the configured keyset, or the application's {@link ValueCipher}. It binds the properties even if they name no
 * groups, so a wrong value stops the start.
 *
 * @since 0.1
 * @see StoreEncryptionProperties
 * @see TinkValueCipher
 */
@AutoConfiguration(before = StoreAutoConfiguration.class)
@EnableConfigurationProperties(StoreEncryptionProperties.class)
public final class StoreEncryptionAutoConfiguration {

    StoreEncryptionAutoConfiguration() {}

    /** For groups to encrypt. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnEncryptedGroupsCondition.class)
    static class Encrypting {

        @Bean
        EncryptionCustomizer ttlStoreEncryptionCustomizer(
                StoreEncryptionProperties properties,
                ObjectProvider<ValueCipher> ciphers,
                ObjectProvider<Store> stores) {
            EncryptedGroups groups = EncryptedGroups.of(properties.groups());
            return new EncryptionCustomizer(groups, required(ciphers.getIfAvailable()), stores);
        }

        private static ValueCipher required(@Nullable ValueCipher cipher) {
            if (cipher == null) {
                throw new MissingLibraryException(
                        "com.google.crypto.tink:tink",
                        "'" + EncryptedGroups.PROPERTY
                                + "' names groups to encrypt, but Tink, which encrypts them, is not on the class path",
                        "Add com.google.crypto.tink:tink, or declare a ValueCipher bean",
                        new ClassNotFoundException("com.google.crypto.tink.Aead"));
            }
            return cipher;
        }

        /** The cipher, if Tink is on the class path. Inside, so that nobody looks for Tink unless there are groups to encrypt. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(Aead.class)
        @EnableConfigurationProperties(StoreProperties.class)
        @Import({ConfiguredStore.class, StoreDataSources.class})
        static class TinkConfiguration {

            @Bean
            @ConditionalOnMissingBean
            ValueCipher ttlStoreValueCipher(
                    StoreEncryptionProperties properties, ConfiguredStore store, ResourceLoader resources) {
                return new ConfiguredKeyset(properties, store, resources).cipher();
            }
        }
    }
}
