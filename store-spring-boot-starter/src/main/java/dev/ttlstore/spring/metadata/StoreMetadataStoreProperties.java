package dev.ttlstore.spring.metadata;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Integration's metadata in the store.
 *
 * @param enabled Whether to offer a MetadataStore for Spring Integration's metadata in the store.
 * @param ttl Time that an entry lives after it was last written. Zero for ever.
 * @since 0.1
 * @see StoreMetadataStore
 */
@ConfigurationProperties("store.metadata-store")
public record StoreMetadataStoreProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("0s") Duration ttl) {}
