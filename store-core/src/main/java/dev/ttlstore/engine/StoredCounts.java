package dev.ttlstore.engine;

/**
 * How many rows of each kind a store keeps.
 *
 * @param entries the number of entries, live or expired
 * @param retained the number of expired entries that were removed and are kept for a while
 * @param subscribers the number of subscribers
 * @param deliveries the number of deliveries, with dead letters
 */
public record StoredCounts(long entries, long retained, long subscribers, long deliveries) {

    /**
     * Returns the sum.
     *
     * @return how many rows there are
     */
    public long total() {
        return entries + retained + subscribers + deliveries;
    }
}
