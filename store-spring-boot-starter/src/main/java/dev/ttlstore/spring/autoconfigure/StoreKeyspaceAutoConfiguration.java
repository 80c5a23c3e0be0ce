package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Import;

import dev.ttlstore.Store;

/**
 * Auto-configuration of the scopes and groups that {@code store.scopes} and {@code store.groups} declare, as beans with their
 * name as qualifier.
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(Store.class)
@Import(DeclaredBeansRegistrar.class)
public final class StoreKeyspaceAutoConfiguration {

    StoreKeyspaceAutoConfiguration() {}
}
