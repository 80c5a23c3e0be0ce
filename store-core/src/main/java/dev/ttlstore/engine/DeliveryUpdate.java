package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * The new state of a delivery after a failed attempt.
 *
 * @param id the id of the delivery
 * @param attempts how many attempts there were, including this one
 * @param nextAt when the next attempt is due; {@link Row#NEVER} to make it a dead letter
 * @param error the exception
 */
public record DeliveryUpdate(
        long id, int attempts, long nextAt, @Nullable String error) {}
