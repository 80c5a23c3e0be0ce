package dev.ttlstore.spring.lock;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Integration's locks in the store.
 *
 * @param enabled Whether to offer a LockRegistry for Spring Integration's locks in the store.
 * @param ttl Time for which a lock is held at most, unless it is renewed or locked with another time.
 * @param renew Whether locks are renewed while the thread that has taken them lives, until it unlocks them.
 */
@ConfigurationProperties("store.lock-registry")
public record StoreLockRegistryProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("30s") Duration ttl,
        @DefaultValue("false") boolean renew) {}
