package dev.ttlstore.internal.cache;

/**
 * Counts of a cache.
 *
 * @param hits the number of reads that it answered
 * @param misses the number of reads that it passed on
 * @param evictions the number of rows that it evicted to make room
 * @param bytes its current size
 */
public record CacheCounts(long hits, long misses, long evictions, long bytes) {}
