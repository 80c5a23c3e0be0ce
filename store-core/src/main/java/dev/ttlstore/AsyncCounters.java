package dev.ttlstore;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The writes of {@link Counters} for callers that do not wait, with the rules of {@link AsyncGroup}. Thread-safe.
 *
 * <pre>{@code
 * AsyncCounters logins = store.counters("logins").async();
 * logins.increment("anna", 1, Duration.ofMinutes(15)).thenAccept(attempts -> log.info("Attempt {}", attempts));
 * }</pre>
 *
 * @since 0.1
 * @see Counters#async()
 * @see AsyncGroup
 */
public interface AsyncCounters extends AsyncGroup<Long> {

    /**
     * Adds one, as {@link Counters#increment(String)} does.
     *
     * @param key the key
     * @return the new number
     */
    default CompletableFuture<Long> increment(String key) {
        return increment(key, 1);
    }

    /**
     * Adds a number, as {@link Counters#increment(String, long)} does.
     *
     * @param key the key
     * @param delta the number to add
     * @return the new number
     */
    default CompletableFuture<Long> increment(String key, long delta) {
        return increment(key, delta, Expiry.groupDefault());
    }

    /**
     * Adds a number, as {@link Counters#increment(String, long, Duration)} does.
     *
     * @param key the key
     * @param delta the number to add
     * @param ttlOnCreate how long the entry lives if this call creates it
     * @return the new number
     */
    default CompletableFuture<Long> increment(String key, long delta, Duration ttlOnCreate) {
        return AsyncExpiry.with(() -> Expiry.onCreate(ttlOnCreate), expiry -> increment(key, delta, expiry));
    }

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
