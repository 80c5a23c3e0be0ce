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
import dev.ttlstore.spring.autoconfigure.RestoreFolder;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoresOfContext;

/**
 * Auto-configuration for scheduled backups of the store.
 *
 * @since 0.1
 * @see StoreBackupJob
 */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnBean(Store.class)
@EnableConfigurationProperties(StoreBackupProperties.class)
public final class StoreBackupAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(StoreBackupAutoConfiguration.class);

    StoreBackupAutoConfiguration() {}

    /** Returns null if a missing file is not restored. Without a condition, which ahead-of-time processing evaluates at the build. */
    @Bean
    @Nullable
    RestoreFolder ttlStoreRestoreFolder(StoreBackupProperties backup) {
        return backup.enabled() && backup.restore() ? new RestoreFolder(backup.path()) : null;
    }

    /** Returns null if the store has no file, as in a test. */
    @Bean
    @ConditionalOnBooleanProperty("store.backup.enabled")
    @ConditionalOnMissingBean
    @Nullable
    StoreBackupJob ttlStoreBackupJob(Store store, StoreBackupProperties backup, ObjectProvider<InstantSource> clock) {
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
    @ConditionalOnBooleanProperty("store.backup.enabled")
    BackupSchedule ttlStoreBackupSchedule(ObjectProvider<StoreBackupJob> job) {
        return new BackupSchedule(job.getIfAvailable());
    }
}
