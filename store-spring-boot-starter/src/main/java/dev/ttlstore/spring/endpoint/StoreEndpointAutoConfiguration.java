package dev.ttlstore.spring.endpoint;

import java.time.InstantSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreProperties;

/**
 * Auto-configuration for the {@code store} endpoint.
 *
 * @since 0.1
 * @see StoreEndpoint
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnSingleCandidate(Store.class)
@ConditionalOnAvailableEndpoint(StoreEndpoint.class)
@EnableConfigurationProperties(StoreProperties.class)
public final class StoreEndpointAutoConfiguration {

    StoreEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    StoreEndpoint ttlStoreEndpoint(Store store, StoreProperties properties, ObjectProvider<InstantSource> clock) {
        return new StoreEndpoint(store, properties.scopes().keySet(), clock.getIfUnique(InstantSource::system));
    }

    @Bean
    @ConditionalOnBean(StoreEndpoint.class)
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(endpoint = StoreEndpoint.class, exposure = EndpointExposure.WEB)
    StoreEndpointWebExtension ttlStoreEndpointWebExtension(StoreEndpoint endpoint) {
        return new StoreEndpointWebExtension(endpoint);
    }
}
