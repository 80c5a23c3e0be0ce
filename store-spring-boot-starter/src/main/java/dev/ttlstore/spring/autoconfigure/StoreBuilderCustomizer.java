package dev.ttlstore.spring.autoconfigure;

import dev.ttlstore.StoreBuilder;

/**
 * Customizes the builder of the auto-configured store. The starter calls each bean of this type after it has applied
 * all properties and before it opens the store. If there are several, it calls them in their order ({@code @Order}).
 *
 * <pre>{@code
 * @Bean
 * StoreBuilderCustomizer invitesExpire() {
 *     return builder -> builder.group("invites", GroupSettings.defaults().withTtl(Duration.ofDays(10)));
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreProperties
 * @see StoreBuilder
 */
@FunctionalInterface
public interface StoreBuilderCustomizer {

    /**
     * Customizes a store.
     *
     * @param builder the builder, with all properties applied
     */
    void customize(StoreBuilder builder);
}
