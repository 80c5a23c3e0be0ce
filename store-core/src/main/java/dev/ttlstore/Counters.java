package dev.ttlstore;

import java.time.Duration;

/**
 * A group of whole numbers with atomic increments. A missing number counts as zero. An increment keeps the expiry of
 * the entry, so a time window ends on time however often you count.
 *
 * <pre>{@code
 * Counters logins = store.counters("logins");
 * long attempts = logins.increment("anna", 1, Duration.ofMinutes(15));
 * }</pre>
 *
 * @since 0.1
 * @see Keyspace#counters(String)
 * @see AsyncCounters
 */
public interface Counters extends Group<Long> {

    /**
     * Adds one. An entry that this call creates has the ttl of a {@link #put(String, Object) put} without a ttl.
     *
     * @param key the key
     * @return the new number
     * @throws ArithmeticException if the new number is out of the range of {@code long}; the entry stays as it was
     */
    default long increment(String key) {
        return increment(key, 1);
    }

    /**
     * Adds a number. An entry that this call creates has the ttl of a {@link #put(String, Object) put} without a ttl.
     *
     * @param key the key
     * @param delta the number to add; negative to subtract
     * @return the new number
     * @throws ArithmeticException if the new number is out of the range of {@code long}; the entry stays as it was
     */
    default long increment(String key, long delta) {
        return increment(key, delta, Expiry.groupDefault());
    }

    /**
     * Adds a number, and sets a ttl if this call creates the entry.
     *
     * @param key the key
     * @param delta the number to add; negative to subtract
     * @param ttlOnCreate how long an entry that this call creates lives, as in {@link #put(String, Object, Duration)}
     * @return the new number
     * @throws ArithmeticException if the new number is out of the range of {@code long}; the entry stays as it was
     * @throws IllegalArgumentException if the ttl is not valid
     */
    default long increment(String key, long delta, Duration ttlOnCreate) {
        return increment(key, delta, Expiry.onCreate(ttlOnCreate));
    }

    /**
     * Adds a number, and sets an expiry if this call creates the entry.
     *
     * @param key the key
     * @param delta the number to add; negative to subtract
     * @param onCreate when an entry that this call creates expires
     * @return the new number
     * @throws ArithmeticException if the new number is out of the range of {@code long}; the entry stays as it was
     */
    long increment(String key, long delta, Expiry onCreate);

    /** {@inheritDoc} */
    @Override
    AsyncCounters async();
}
