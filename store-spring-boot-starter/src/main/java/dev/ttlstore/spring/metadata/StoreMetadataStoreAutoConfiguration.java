package dev.ttlstore.spring.metadata;

import java.time.Duration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.metadata.MetadataStore;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * Auto-configuration for Spring Integration's metadata in the store. It backs off if the application declares a
 * metadata store. Spring Integration finds the bean by its name.
 *
 * @since 0.1
 * @see StoreMetadataStore
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.metadata-store.enabled")
@ConditionalOnClass(MetadataStore.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreMetadataStoreProperties.class)
public final class StoreMetadataStoreAutoConfiguration {

    private static final String BEAN = "metadataStore";

    StoreMetadataStoreAutoConfiguration() {}

    @Bean(BEAN)
    @ConditionalOnMissingBean(value = MetadataStore.class, name = BEAN)
    StoreMetadataStore metadataStore(Store store, StoreMetadataStoreProperties properties) {
        Duration ttl = properties.ttl();
        set("store.metadata-store.ttl", ttl, valid -> new StoreMetadataStore(store, valid));
        return new StoreMetadataStore(store, ttl);
    }
}
