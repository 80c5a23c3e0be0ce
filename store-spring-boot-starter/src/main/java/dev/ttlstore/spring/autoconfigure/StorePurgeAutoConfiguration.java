package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
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

    @Bean
    @ConditionalOnMissingBean
    StorePurgeJob storePurgeJob(Store store) {
        return new StorePurgeJob(store);
    }
}
