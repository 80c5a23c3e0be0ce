package dev.ttlstore;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The writes of {@link Counters} for callers who don't wait, as those of {@link AsyncGroup} are. Thread-safe. */
public interface AsyncCounters extends AsyncGroup<Long> {

    /**
     * As {@link Counters#increment(String)}.
     *
     * @param key the key
     * @return the new number
     */
    CompletableFuture<Long> increment(String key);

    /**
     * As {@link Counters#increment(String, long)}.
     *
     * @param key the key
     * @param delta what to add
     * @return the new number
     */
    CompletableFuture<Long> increment(String key, long delta);

    /**
     * As {@link Counters#increment(String, long, Duration)}.
     *
     * @param key the key
     * @param delta what to add
     * @param ttlOnCreate how long an entry that is created lives
     * @return the new number
     */
    CompletableFuture<Long> increment(String key, long delta, Duration ttlOnCreate);
}
