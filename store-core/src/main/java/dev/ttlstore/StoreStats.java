package dev.ttlstore;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A store at a glance.
 *
 * @param engine the engine and its version, such as {@code SQLite 3.53.2}
 * @param path the absolute path of the store's file; null when it is in memory
 * @param entries the number of live entries
 * @param expired the number of expired entries, invisible already, that no purge has removed yet
 * @param retained the number of expired entries that were removed and are kept for the time of retention
 * @param fileBytes the size of the store's file; 0 when it is in memory
 * @param walBytes the size of the write-ahead log beside it, which a checkpoint empties without making it smaller
 * @param purgeLag how long ago the first entry expired, or was to before it was renewed, that no purge has dealt with; zero
 *     if there is none
 */
public record StoreStats(
        String engine,
        @Nullable Path path,
        long entries,
        long expired,
        long retained,
        long fileBytes,
        long walBytes,
        Duration purgeLag) {}
