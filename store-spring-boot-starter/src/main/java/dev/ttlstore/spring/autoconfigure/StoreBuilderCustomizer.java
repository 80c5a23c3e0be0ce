package dev.ttlstore.spring.autoconfigure;

import dev.ttlstore.StoreBuilder;

/**
 * A bean of this type changes how the auto-configured store is built: it is called with the builder when all properties have
 * been set, and before the store is opened. Several are called in their order ({@code @Order}).
 *
 * <pre>{@code
 * @Bean
 * StoreBuilderCustomizer invitesExpire() {
 *     return builder -> builder.group("invites", GroupSettings.defaults().withTtl(Duration.ofDays(10)));
 * }
 * }</pre>
 */
@FunctionalInterface
public interface StoreBuilderCustomizer {

    /**
     * Changes the settings of a store.
     *
     * @param builder the builder, with the properties set
     */
    void customize(StoreBuilder builder);
}
