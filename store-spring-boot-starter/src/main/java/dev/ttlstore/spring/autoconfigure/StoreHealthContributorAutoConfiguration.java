package dev.ttlstore.spring.autoconfigure;

import java.util.Map;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.health.StoreHealthIndicator;

/** Auto-configuration of the store's health. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Store.class)
@ConditionalOnEnabledHealthIndicator("store")
public final class StoreHealthContributorAutoConfiguration
        extends CompositeHealthContributorConfiguration<StoreHealthIndicator, Store> {

    StoreHealthContributorAutoConfiguration() {
        super(StoreHealthIndicator::new);
    }

    @Bean
    @ConditionalOnMissingBean(name = {"storeHealthIndicator", "storeHealthContributor"})
    HealthContributor storeHealthContributor(Map<String, Store> stores) {
        return createContributor(stores);
    }
}
