package dev.ttlstore;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The result of a backup.
 *
 * @param path the absolute path of its file
 * @param bytes the size of the file
 * @param elapsed how long it took
 * @since 0.1
 * @see Store#backup
 */
public record BackupResult(Path path, long bytes, Duration elapsed) {}
