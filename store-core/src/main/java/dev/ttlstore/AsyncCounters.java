package dev.ttlstore;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The writes of {@link Counters} for callers that do not wait, with the rules of {@link AsyncGroup}. Thread-safe. */
public interface AsyncCounters extends AsyncGroup<Long> {

    /**
     * Adds one, as {@link Counters#increment(String)} does.
     *
     * @param key the key
     * @return the new number
     */
    CompletableFuture<Long> increment(String key);

    /**
     * Adds a number, as {@link Counters#increment(String, long)} does.
     *
     * @param key the key
     * @param delta the number to add
     * @return the new number
     */
    CompletableFuture<Long> increment(String key, long delta);

    /**
     * Adds a number, as {@link Counters#increment(String, long, Duration)} does.
     *
     * @param key the key
     * @param delta the number to add
     * @param ttlOnCreate how long the entry lives if this call creates it
     * @return the new number
     */
    CompletableFuture<Long> increment(String key, long delta, Duration ttlOnCreate);

    /**
     * Adds a number, as {@link Counters#increment(String, long, Expiry)} does.
     *
     * @param key the key
     * @param delta the number to add
     * @param onCreate when the entry expires if this call creates it
     * @return the new number
     */
    CompletableFuture<Long> increment(String key, long delta, Expiry onCreate);
}
