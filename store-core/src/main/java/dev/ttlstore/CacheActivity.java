package dev.ttlstore;

/**
 * What the near cache has done since the store was opened; all zero where there is none.
 *
 * @param hits how many reads of one entry it has answered
 * @param misses how many have gone to the engine; those of an entry that is not there always do
 * @param evictions how many entries have left it to make room
 * @param bytes what it takes now, in bytes, as {@link StoreBuilder#cacheSize} counts it
 */
public record CacheActivity(long hits, long misses, long evictions, long bytes) {}
