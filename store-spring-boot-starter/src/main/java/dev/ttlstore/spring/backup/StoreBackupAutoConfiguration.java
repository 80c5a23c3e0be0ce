package dev.ttlstore.spring.backup;

import java.time.InstantSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;

import dev.ttlstore.Store;
import dev.ttlstore.spring.autoconfigure.IntervalConverter;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreProperties;
import dev.ttlstore.spring.autoconfigure.StoresOfContext;

/**
 * Auto-configuration for scheduled backups of the store.
 *
 * @since 0.1
 * @see StoreBackupJob
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBooleanProperty("store.backup.enabled")
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreProperties.class)
public final class StoreBackupAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(StoreBackupAutoConfiguration.class);

    StoreBackupAutoConfiguration() {}

    /** Returns null if the store has no file, as in a test. */
    @Bean
    @ConditionalOnMissingBean
    @Nullable
    StoreBackupJob ttlStoreBackupJob(Store store, StoreProperties properties, ObjectProvider<InstantSource> clock) {
        StoreProperties.Backup backup = properties.backup();
        if (StoresOfContext.isMock(store) || store.path() == null) {
            log.info("There are no backups, because the store is not in a file");
            return null;
        }
        if (backup.keep() < 1) {
            throw new InvalidConfigurationPropertyValueException(
                    "store.backup.keep", backup.keep(), "it must be at least 1");
        }
        return new StoreBackupJob(
                store,
                backup.path(),
                IntervalConverter.require("store.backup.interval", backup.interval()),
                backup.keep(),
                clock.getIfUnique(InstantSource::system));
    }

    @Bean
    BackupSchedule ttlStoreBackupSchedule(ObjectProvider<StoreBackupJob> job) {
        return new BackupSchedule(job.getIfAvailable());
    }
}
