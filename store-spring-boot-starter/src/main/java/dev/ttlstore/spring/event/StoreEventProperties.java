package dev.ttlstore.spring.event;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of events.
 *
 * @param enabled Whether to publish changes in the store as application events.
 * @param groups Full names of the groups whose changes are published. By default all groups.
 * @param history Number of the last changes to keep in memory, from the first watch on, for watches that resume.
 * @since 0.1
 * @see StoreEventPublisher
 */
@ConfigurationProperties("store.events")
public record StoreEventProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> groups,
        @DefaultValue("1000") int history) {}
