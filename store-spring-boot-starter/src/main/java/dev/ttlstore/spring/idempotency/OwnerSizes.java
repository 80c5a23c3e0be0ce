package dev.ttlstore.spring.idempotency;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Counters;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.spring.idempotency.Exchange.RecordedResponse;

/**
 * How many bytes of answers each owner has had kept lately, so that one cannot take the room of all. A count begins with the first answer
 * and ends with the ttl of that. Thread-safe.
 */
final class OwnerSizes {

    /** The group that holds the counts, by a hash of the owner. */
    static final String GROUP = "idempotency-sizes";

    private static final Logger log = LoggerFactory.getLogger(OwnerSizes.class);

    /** What an entry takes beside the body of the answer, roughly. */
    private static final int BYTES_OF_ENTRY = 300;

    private final Counters sizes;
    private final long max;
    private final Duration ttl;

    /**
     * Prepares the counts.
     *
     * @param store holds them
     * @param max how many bytes an owner may have; zero for no limit
     * @param ttl how long an answer is kept
     */
    OwnerSizes(LiveKeyspace store, long max, Duration ttl) {
        this.sizes = store.counters(GROUP);
        this.max = max;
        this.ttl = ttl;
    }

    boolean isFull(String owner) {
        return max > 0 && sizes.get(owner).orElse(0L) >= max;
    }

    /** Counts an answer that is kept. Nobody waits for it. */
    void add(String owner, RecordedResponse answer) {
        if (max > 0) {
            long bytes = BYTES_OF_ENTRY + (answer.body() == null ? 0L : answer.body().length);
            Object unused = sizes.async().increment(owner, bytes, ttl).whenComplete((total, failure) -> {
                if (failure != null) {
                    log.warn(
                            "The size of an answer to a request with an Idempotency-Key was not counted. {}",
                            failure.getMessage());
                }
            });
        }
    }
}
