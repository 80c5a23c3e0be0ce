package dev.ttlstore.contract.model;

import java.time.Duration;
import java.time.Instant;

/**
 * One step of a run, drawn before the run begins, so that a run can be tried again with fewer steps.
 *
 * @param operation what to do
 * @param group see {@link Arguments}
 * @param key see {@link Arguments}; empty for the key that was added last
 * @param value see {@link Arguments}
 * @param other see {@link Arguments}
 * @param ttl see {@link Arguments}
 * @param untilExpiry how far the time to expire at is from that of the store
 * @param move see {@link Arguments}
 */
record Step(
        ModelOperation operation,
        String group,
        String key,
        String value,
        String other,
        Duration ttl,
        Duration untilExpiry,
        Duration move) {

    /** What the operation is told, now that the run has come to it. */
    Arguments arguments(Model model) {
        Instant expiresAt = Instant.ofEpochMilli(model.now()).plus(untilExpiry);
        return new Arguments(group, key.isEmpty() ? model.lastAdded() : key, value, other, ttl, expiresAt, move);
    }
}
