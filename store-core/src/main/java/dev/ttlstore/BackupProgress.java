package dev.ttlstore;

import java.time.Duration;

/**
 * The progress of a backup.
 *
 * @param bytes how many bytes the copy has so far
 * @param total how many it will have, as estimated at its beginning
 * @param elapsed how long it has taken so far
 * @since 0.1
 * @see Store#backup
 */
public record BackupProgress(long bytes, long total, Duration elapsed) {

    /**
     * Returns how far the backup is.
     *
     * @return 0 to 1
     */
    public double fraction() {
        return total <= 0 ? 1 : Math.min(1, (double) bytes / total);
    }
}
