package dev.ttlstore.spring.observation;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import io.micrometer.observation.ObservationRegistry;

/**
 * Auto-configuration for the observations of all stores of a context.
 *
 * @since 0.1
 * @see StoreObservationConvention
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.observations.enabled")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreObservationProperties.class)
@ImportRuntimeHints(ObservationHints.class)
public final class StoreObservationAutoConfiguration {

    StoreObservationAutoConfiguration() {}

    @Bean
    static ObservedStores ttlStoreObservations(
            ObjectProvider<ObservationRegistry> registries, ObjectProvider<StoreObservationConvention> conventions) {
        return new ObservedStores(registries, conventions);
    }
}
