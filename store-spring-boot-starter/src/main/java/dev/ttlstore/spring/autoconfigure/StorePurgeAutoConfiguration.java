package dev.ttlstore.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;

import dev.ttlstore.Store;
import dev.ttlstore.spring.purge.StorePurgeJob;

/**
 * Auto-configuration of the purge job. It enables scheduling, and comes before Boot's own scheduling so that Boot's
 * scheduler, with its {@code spring.task.scheduling} properties, runs the job.
 */
@AutoConfiguration(after = StoreAutoConfiguration.class, before = TaskSchedulingAutoConfiguration.class)
@ConditionalOnSingleCandidate(Store.class)
@Conditional(OnPurgeJobCondition.class)
@EnableScheduling
public final class StorePurgeAutoConfiguration {

    StorePurgeAutoConfiguration() {}

    /** Null when it is off only now: in a context that was processed ahead of time the condition was asked at the build. */
    @Bean
    @ConditionalOnMissingBean
    @Nullable
    StorePurgeJob storePurgeJob(Store store, Environment environment) {
        return OnPurgeJobCondition.whyOff(environment) == null ? new StorePurgeJob(store) : null;
    }
}
