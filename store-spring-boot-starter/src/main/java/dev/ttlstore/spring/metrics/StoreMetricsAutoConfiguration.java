package dev.ttlstore.spring.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.ConfiguredStore;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreProperties;
import dev.ttlstore.spring.autoconfigure.StoresOfContext;
import dev.ttlstore.spring.backup.StoreBackupJob;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Auto-configuration for meters of all stores that no parent context measures. The bean's name is a tag.
 *
 * @since 0.1
 * @see StoreMetrics
 */
@AutoConfiguration(
        after = StoreAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({Store.class, MeterRegistry.class})
@EnableConfigurationProperties(StoreProperties.class)
public final class StoreMetricsAutoConfiguration {

    StoreMetricsAutoConfiguration() {}

    @Bean
    StoreMeterBinder ttlStoreMetrics(ConfigurableApplicationContext context, StoreProperties properties) {
        Map<String, Store> stores = StoresOfContext.all(context);
        Set<String> scopes = properties.scopes().keySet();
        List<StoreMetrics> metrics = new ArrayList<>();
        List<MeterBinder> groups = new ArrayList<>();
        StoresOfContext.without(StoreMeterBinder.class, context, stores).forEach((name, store) -> {
            if (StoresOfContext.isMock(store)) {
                return;
            }
            Tags tags = Tags.of("name", name);
            metrics.add(new StoreMetrics(store, tags, scopes));
            store.activity().groups().keySet().stream()
                    .sorted()
                    .forEach(group -> groups.add(new StoreGroupMetrics(store, group, tags)));
        });
        return new StoreMeterBinder(metrics, groups);
    }

    @Bean
    MeterBinder ttlStoreBackupMetrics(ObjectProvider<StoreBackupJob> jobs) {
        return registry -> jobs.ifAvailable(job -> new BackupMeters(job).bindTo(registry));
    }

    /** For the pool of the store's own connections. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "com.zaxxer.hikari.HikariDataSource")
    static class Connections {

        @Bean
        MeterBinder ttlStoreConnectionMetrics(ObjectProvider<ConfiguredStore> store) {
            return registry ->
                    store.ifAvailable(configured -> configured.connections().publishMeters(registry));
        }
    }
}
