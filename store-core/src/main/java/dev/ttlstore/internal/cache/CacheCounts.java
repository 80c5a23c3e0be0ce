package dev.ttlstore.internal.cache;

/**
 * What a cache has done, and what it takes.
 *
 * @param hits how many reads it has answered
 * @param misses how many it has passed on
 * @param evictions how many rows it has dropped to make room
 * @param bytes what it takes now
 */
public record CacheCounts(long hits, long misses, long evictions, long bytes) {}
