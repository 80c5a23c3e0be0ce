package dev.ttlstore.spring.purge;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the purge job, beside its interval {@code store.purge-interval}.
 *
 * @param enabled Whether to schedule the purge job. Expiry is exact without it. The job frees space and publishes
 *     what has expired.
 * @since 0.1
 * @see StorePurgeJob
 */
@ConfigurationProperties("store.purge")
public record StorePurgeProperties(@DefaultValue("true") boolean enabled) {}
