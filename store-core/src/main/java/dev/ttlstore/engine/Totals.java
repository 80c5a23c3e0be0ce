package dev.ttlstore.engine;

/**
 * The numbers of entries in a store.
 *
 * @param live the number of visible entries
 * @param expired the number of expired entries that no purge has removed yet
 * @param retained the number of expired entries that were removed and are kept for the retention time
 */
public record Totals(long live, long expired, long retained) {}
