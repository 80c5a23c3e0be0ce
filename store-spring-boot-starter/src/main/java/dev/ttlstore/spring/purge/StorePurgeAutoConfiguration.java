package dev.ttlstore.spring.purge;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.IntervalConverter;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreProperties;
import dev.ttlstore.spring.autoconfigure.StoresOfContext;

/**
 * Auto-configuration for the purge job of all stores that no parent context purges.
 *
 * @since 0.1
 * @see StorePurgeJob
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBean(Store.class)
@Conditional(OnPurgeJobCondition.class)
@EnableConfigurationProperties(StorePurgeProperties.class)
public final class StorePurgeAutoConfiguration {

    StorePurgeAutoConfiguration() {}

    /**
     * Returns null if there is nothing to purge, or if the job is off only at run time: in a context that was
     * processed ahead of time, the condition was evaluated at the build. A mock in a test is left alone: a call from
     * another thread, while the test stubs a method, would be stubbed instead.
     */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @Nullable
    StorePurgeJob ttlStorePurgeJob(ConfigurableApplicationContext context, Environment environment) {
        Map<String, Store> purged = StoresOfContext.without(StorePurgeJob.class, context, StoresOfContext.all(context));
        return purged.isEmpty() || OnPurgeJobCondition.whyOff(environment) != null
                ? null
                : new StorePurgeJob(purged.values().stream()
                        .filter(store -> !StoresOfContext.isMock(store))
                        .toList());
    }

    @Bean
    PurgeJobScheduler ttlStorePurgeSchedule(ConfigurableListableBeanFactory beans, StoreProperties properties) {
        return new PurgeJobScheduler(
                beans, IntervalConverter.require(StoreProperties.PURGE_INTERVAL, properties.purgeInterval()));
    }
}
