package dev.ttlstore.spring.lock;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of ShedLock's locks in the store.
 *
 * @param enabled Whether the locks of '@SchedulerLock' methods are in the store.
 * @since 0.1
 * @see StoreLockProvider
 */
@ConfigurationProperties("store.lock-provider")
public record StoreLockProviderProperties(
        @DefaultValue("false") boolean enabled) {}
