package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

import dev.ttlstore.Store;
import dev.ttlstore.spring.purge.StorePurgeJob;

/** Auto-configuration of the purge job. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(Store.class)
@Conditional(OnPurgeJobCondition.class)
public final class StorePurgeAutoConfiguration {

    StorePurgeAutoConfiguration() {}

    /** Null when it is off only now: in a context that was processed ahead of time the condition was asked at the build. */
    @Bean
    @ConditionalOnMissingBean
    @Nullable
    StorePurgeJob ttlStorePurgeJob(Store store, Environment environment) {
        return OnPurgeJobCondition.whyOff(environment) == null ? new StorePurgeJob(store) : null;
    }

    @Bean
    PurgeSchedule ttlStorePurgeSchedule(ListableBeanFactory beans, StoreProperties properties) {
        return new PurgeSchedule(beans, StoreAutoConfiguration.requireInterval(properties.purgeInterval()));
    }
}
