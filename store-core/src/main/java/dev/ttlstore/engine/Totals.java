package dev.ttlstore.engine;

/**
 * How much a store holds.
 *
 * @param live the number of visible entries
 * @param expired the number of expired ones that no purge has removed yet
 * @param retained the number of expired ones that were removed and are kept for a while
 */
public record Totals(long live, long expired, long retained) {}
