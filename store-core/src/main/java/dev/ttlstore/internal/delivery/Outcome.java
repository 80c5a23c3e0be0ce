package dev.ttlstore.internal.delivery;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Delivery;

/**
 * How a handler has done with a delivery.
 *
 * @param delivery the delivery
 * @param failure what it has thrown; null if it has returned
 */
record Outcome(Delivery delivery, @Nullable Throwable failure) {}
