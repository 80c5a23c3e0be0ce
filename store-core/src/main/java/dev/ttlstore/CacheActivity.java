package dev.ttlstore;

/**
 * Counts of the near cache since the store was opened; all zero without a cache.
 *
 * @param hits the number of single-entry reads that the cache answered
 * @param misses the number of single-entry reads that went to the engine, which includes every read of a missing entry
 * @param evictions the number of entries that were evicted to make room
 * @param bytes the current size in bytes, as {@link StoreBuilder#cacheSize} counts it
 * @since 0.1
 * @see StoreActivity#cache()
 * @see StoreBuilder#cacheSize
 */
public record CacheActivity(long hits, long misses, long evictions, long bytes) {}
