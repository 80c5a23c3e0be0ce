package dev.ttlstore.spring.health;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreProperties;
import dev.ttlstore.spring.autoconfigure.StoresOfContext;
import dev.ttlstore.spring.backup.StoreBackupJob;
import dev.ttlstore.spring.purge.StorePurgeJob;
import dev.ttlstore.spring.purge.StorePurgeProperties;

/**
 * Auto-configuration for the health of the stores.
 *
 * @since 0.1
 * @see StoreHealthIndicator
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Store.class)
@ConditionalOnEnabledHealthIndicator("store")
@EnableConfigurationProperties({StoreProperties.class, StorePurgeProperties.class})
public final class StoreHealthContributorAutoConfiguration
        extends CompositeHealthContributorConfiguration<StoreHealthIndicator, Store> {

    StoreHealthContributorAutoConfiguration(
            StoreProperties properties,
            StorePurgeProperties purge,
            ObjectProvider<StorePurgeJob> purgeJobs,
            ObjectProvider<StoreBackupJob> backupJobs) {
        super(store -> new StoreHealthIndicator(
                store,
                properties.scopes().keySet(),
                purgeInterval(properties, purge),
                () -> purgeJobs.stream()
                        .filter(job -> job.purges(store))
                        .findFirst()
                        .orElse(null),
                () -> backupJobs.stream()
                        .filter(job -> job.backsUp(store))
                        .findFirst()
                        .orElse(null)));
    }

    private static @Nullable Duration purgeInterval(StoreProperties properties, StorePurgeProperties purge) {
        Duration interval = properties.purgeInterval();
        return purge.enabled() && interval != null && !interval.isZero() ? interval : null;
    }

    /** Returns null if there are only stores that must not be opened for this. */
    @Bean
    @ConditionalOnMissingBean(name = {"storeHealthIndicator", "storeHealthContributor"})
    @Nullable
    HealthContributor storeHealthContributor(ConfigurableApplicationContext context) {
        Map<String, Store> stores = StoresOfContext.all(context);
        return stores.isEmpty() ? null : createContributor(stores);
    }
}
