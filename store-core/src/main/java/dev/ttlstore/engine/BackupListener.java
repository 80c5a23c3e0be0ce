package dev.ttlstore.engine;

/**
 * Follows a backup.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface BackupListener {

    /**
     * Is called from time to time, in the thread that makes the backup.
     *
     * @param bytes how many bytes are written
     * @param total how many there will be, as estimated at the beginning
     */
    void written(long bytes, long total);
}
