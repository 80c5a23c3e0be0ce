package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Import;

import dev.ttlstore.Store;

/**
 * Auto-configuration that registers the scopes and groups in {@code store.scopes} and {@code store.groups} as beans.
 * The name is the qualifier.
 *
 * @since 0.1
 * @see StoreProperties
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(Store.class)
@Import(DeclaredBeansRegistrar.class)
public final class StoreKeyspaceAutoConfiguration {

    StoreKeyspaceAutoConfiguration() {}
}
