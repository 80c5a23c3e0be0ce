package dev.ttlstore.spring.lock;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Integration's locks in the store.
 *
 * @param enabled Whether to offer a LockRegistry for Spring Integration's locks in the store.
 * @param ttl Time after which a lock ends unless it is renewed, if it is locked without a time of its own.
 * @param renew Whether locks are renewed while the thread that has taken them lives, until it unlocks them.
 * @since 0.1
 * @see StoreLockRegistry
 */
@ConfigurationProperties("store.lock-registry")
public record StoreLockRegistryProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("30s") Duration ttl,
        @DefaultValue("false") boolean renew) {}
