package dev.ttlstore;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * A store at a glance.
 *
 * @param engine the engine and its version, such as {@code SQLite 3.53.2}
 * @param path the absolute path of the store's file; null when it is in memory
 * @param entries the number of live entries
 * @param expired the number of expired entries, invisible already, that no purge has removed yet
 * @param retained the number of expired entries that were removed and are kept for the time of retention
 * @param listenerFailures how often a listener has thrown since the store was opened
 * @param watchDrops how many events watches have dropped since then, their readers being too slow
 * @param unreadable how many reads have answered absent since then for a value that could not be read
 * @param cacheHits how many reads of one entry the near cache has answered since then
 * @param cacheMisses how many have gone to the engine; those of an entry that is not there always do
 * @param cacheEvictions how many entries have left the cache since then to make room
 * @param cacheBytes what the near cache takes now, in bytes, as {@link StoreBuilder#cacheSize} counts it
 */
public record StoreStats(
        String engine,
        @Nullable Path path,
        long entries,
        long expired,
        long retained,
        long listenerFailures,
        long watchDrops,
        long unreadable,
        long cacheHits,
        long cacheMisses,
        long cacheEvictions,
        long cacheBytes) {}
