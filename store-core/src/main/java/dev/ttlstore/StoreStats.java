package dev.ttlstore;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Figures about the data of a store.
 *
 * @param engine the engine and its version, such as {@code SQLite 3.53.2}
 * @param path the absolute path of the store's file; null if the store is in memory or in a shared database
 * @param entries the number of live entries
 * @param expired the number of expired entries that no purge has deleted yet; they are invisible
 * @param retained the number of expired entries that were deleted and are kept for the retention time
 * @param fileBytes the size of the store's file, or of its tables in a shared database; 0 if the store is in memory
 * @param walBytes the size of the write-ahead log beside the file; a checkpoint empties the log but does not shrink it
 * @param purgeLag for how long the earliest due row has waited for a purge; zero if none waits. A renewed entry may be
 *     due at its earlier expiry
 * @param clockLead how far the store's clock has leapt ahead, if that is more than a day. The store reports the leap
 *     while the clock may be wrong, and until it has corrected what was written meanwhile. Zero if the leap came before
 *     the store was opened; null without a leap. The store believes a leap that lasts for a day
 * @param shared figures of a database that instances share; null if the store is embedded
 * @since 0.1
 * @see Store#stats()
 * @see StoreActivity
 * @see SharedStats
 */
public record StoreStats(
        String engine,
        @Nullable Path path,
        long entries,
        long expired,
        long retained,
        long fileBytes,
        long walBytes,
        Duration purgeLag,
        @Nullable Duration clockLead,
        @Nullable SharedStats shared) {}
