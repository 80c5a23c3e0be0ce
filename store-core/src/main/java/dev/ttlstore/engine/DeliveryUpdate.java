package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * What has become of a delivery that failed.
 *
 * @param id which
 * @param attempts how often it has been tried by now
 * @param nextAt when it is to be tried next; {@link Row#NEVER} to set it aside as a dead letter
 * @param error what was thrown
 */
public record DeliveryUpdate(
        long id, int attempts, long nextAt, @Nullable String error) {}
