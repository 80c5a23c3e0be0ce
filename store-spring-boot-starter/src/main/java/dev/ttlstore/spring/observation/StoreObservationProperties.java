package dev.ttlstore.spring.observation;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of observations.
 *
 * @param enabled Whether each call of a store is a Micrometer observation: a timer and, with tracing, a span.
 * @since 0.1
 * @see StoreObservationAutoConfiguration
 */
@ConfigurationProperties("store.observations")
public record StoreObservationProperties(
        @DefaultValue("false") boolean enabled) {}
