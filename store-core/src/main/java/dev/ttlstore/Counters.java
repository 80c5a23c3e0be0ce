package dev.ttlstore;

import java.time.Duration;

/** A group of whole numbers that can be counted up and down, atomically. A number that is not there counts as zero. */
public interface Counters extends Group<Long> {

    /**
     * Adds one.
     *
     * @param key the key
     * @return the new number
     * @throws ArithmeticException if it would leave the range of {@code long}
     */
    long increment(String key);

    /**
     * Adds a number. The entry keeps its expiry; one that is created does not expire.
     *
     * @param key the key
     * @param delta what to add; less than zero to subtract
     * @return the new number
     * @throws ArithmeticException if it would leave the range of {@code long}
     */
    long increment(String key, long delta);

    /**
     * Adds a number. The entry keeps its expiry, so that a window of time ends when it should; one that is created gets an
     * expiry.
     *
     * @param key the key
     * @param delta what to add; less than zero to subtract
     * @param ttlOnCreate how long an entry that is created lives, as in {@link #put(String, Object, Duration)}
     * @return the new number
     * @throws ArithmeticException if it would leave the range of {@code long}
     * @throws IllegalArgumentException if the ttl is not valid
     */
    long increment(String key, long delta, Duration ttlOnCreate);

    /** {@inheritDoc} */
    @Override
    AsyncCounters async();
}
