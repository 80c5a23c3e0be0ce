package dev.ttlstore.spring.backup;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import dev.ttlstore.spring.autoconfigure.Interval;

/**
 * Configuration properties of scheduled backups.
 *
 * @param enabled Whether to make backups of the store's file while it is in use.
 * @param folder Folder of the backups, best on another disk. A relative path starts at the working directory. Missing
 *     folders are created.
 * @param interval Interval from one backup to the next, also over restarts. Zero or '-' makes none by itself.
 * @param keep Number of the newest backups to keep.
 * @param restore Whether to restore the store's file from the newest backup at start-up if the file is missing.
 * @since 0.1
 * @see StoreBackupJob
 */
@ConfigurationProperties("store.backup")
public record StoreBackupProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("data/backups") String folder,
        @DefaultValue("1d") @Interval @Nullable Duration interval,
        @DefaultValue("7") int keep,
        @DefaultValue("false") boolean restore) {

    /**
     * Returns the folder.
     *
     * @throws InvalidConfigurationPropertyValueException if it cannot be a path
     */
    Path path() {
        try {
            return Path.of(folder).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new InvalidConfigurationPropertyValueException("store.backup.folder", folder, e.getReason(), e);
        }
    }
}
